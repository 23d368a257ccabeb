import type { GatewayConfig } from '../config/gateway-config.ts'
import { createGateway, type Gateway } from '../downstream/gateway.ts'
import {
  type FakeServer,
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from '../downstream/upstream-set.fixtures.ts'
import { guardedServer } from '../http/guarded-server.ts'
import type { McpTool } from '../upstreams/upstream.ts'
import { createInspection } from './create-inspection.ts'
import type { Inspected } from './inspected.ts'

const mail: FakeServer = {
  tools: [
    tool('send_mail', 'Sends a letter to somebody.\nMore of it.', { destructiveHint: false }),
    tool('read_mail', 'Reads the letters of a folder', { readOnlyHint: true }),
    tool('list_folders', 'Lists the folders of the mailbox', { readOnlyHint: true }),
  ],
}
const broken: FakeServer = { tools: [], state: 'failed', detail: 'It ended with code 1.' }

export function tool(name: string, description: string, annotations: object = {}): McpTool {
  const inputSchema = { type: 'object', properties: { to: { type: 'string' } } }
  return { name, description, inputSchema, annotations }
}

export interface Opened {
  readonly origin: string
  readonly gateway: Gateway
  readonly servers: ReturnType<typeof upstreamSet>
  /** Gives status and data. */
  ask<T>(path: string, init?: RequestInit): Promise<{ status: number; data: T }>
}

const ends: (() => Promise<void>)[] = []

/** Ends all that was opened. */
export async function endAll(): Promise<void> {
  await Promise.all(ends.splice(0).map((end) => end()))
}

/** A gateway with servers that need no process, and its inspector over real HTTP. */
export async function open(
  fakes: Record<string, FakeServer> = { mail, broken },
  {
    config = {},
    token,
    ...more
  }: { config?: Partial<GatewayConfig>; token?: string } & Partial<Omit<Inspected, 'config'>> = {},
): Promise<Opened> {
  const servers = upstreamSet(fakes)
  const settings = gatewayConfig(
    Object.keys(fakes).map((name) => serverConfig(name)),
    config,
  )
  const gateway = createGateway(settings, servers)
  const inspection = createInspection({
    gateway,
    servers,
    config: () => settings,
    configFile: '/etc/toolsearch.json',
    version: '1.2.3',
    transport: 'http',
    hasToken: token !== undefined,
    snippet: (url) => `{"url":"${url}"}`,
    ...more,
  })
  const server = await guardedServer(new Map(), { token, pages: inspection.handle })
  ends.push(async () => {
    inspection.close()
    gateway.close()
    await server.close()
  })
  return {
    origin: server.origin,
    gateway,
    servers,
    async ask(path, init) {
      const response = await fetch(`${server.origin}${path}`, init)
      return { status: response.status, data: (await response.json()) as never }
    },
  }
}
