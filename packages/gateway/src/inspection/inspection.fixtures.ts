import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ALL_RIGHTS } from '../access/rights.ts'
import type { AuditedAction } from '../audit/action-entry.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { Caller } from '../identity/caller.ts'
import { createApprovalStore } from '../offering/approvals/approval-store.ts'
import { type Approvals, createApprovals } from '../offering/approvals/approvals.ts'
import { createGateway, type Gateway } from '../offering/gateway.ts'
import {
  type FakeServer,
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from '../offering/upstream-set.fixtures.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { guardedServer } from '../serving/http/guarded-server.ts'
import type { RequestGate } from '../serving/request-gate.ts'
import { createActivity } from './activity/create-activity.ts'
import { createInspection, type InspectionOptions } from './create-inspection.ts'
import { keepHistory } from './history/keep-history.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { createPageCalls } from './page-calls.ts'
import { recordCalls } from './record-calls.ts'
import { createSavedQueries, savedQueriesFile } from './saved-queries.ts'

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
  /** Contains the file of saved queries, and the built page in `page` once a test writes one. */
  readonly folder: string
  /** Records its calls. */
  readonly gateway: Gateway
  readonly approvals: Approvals
  readonly servers: ReturnType<typeof upstreamSet>
  /** Sends a request and parses the JSON response. */
  ask<T>(path: string, init?: RequestInit): Promise<{ status: number; data: T }>
}

const closers: (() => Promise<void>)[] = []

/** Closes everything that `open` opened. */
export async function closeAll(): Promise<void> {
  await Promise.all(closers.splice(0).map((close) => close()))
}

/** Opens a gateway over in-process servers, and its inspector over real HTTP. */
export async function open(
  fakes: Record<string, FakeServer> = { mail, broken },
  {
    config = {},
    token,
    caller,
    options = {},
    access = { rightsOf: () => ALL_RIGHTS },
    gate,
    onAction,
    ...more
  }: {
    config?: Partial<GatewayConfig>
    token?: string
    /** Who sends all requests. @default the person at the machine */
    caller?: Caller
    options?: Partial<InspectionOptions>
    gate?: RequestGate
    /** Receives what the audit log would record. */
    onAction?: (action: AuditedAction) => void
  } & Partial<Omit<InspectionTarget, 'config'>> = {},
): Promise<Opened> {
  const servers = upstreamSet(fakes)
  const settings = gatewayConfig(
    Object.keys(fakes).map((name) => serverConfig(name)),
    config,
  )
  const folder = await mkdtemp(join(tmpdir(), 'toolsearch-inspection-'))
  const approvals = await createApprovals(createApprovalStore(join(folder, 'approvals.json')))
  const gateway = createGateway(settings, servers, { approvals, access })
  const { activity = createActivity({ transport: 'http' }) } = more
  const recorder = recordCalls(gateway, activity)
  const target: InspectionTarget = {
    gateway,
    servers,
    approvals,
    activity,
    history: keepHistory(activity),
    access,
    runCall: createPageCalls(recorder.gateway, gate),
    restartServer: async (name) => servers.upstreams.has(name),
    saved: createSavedQueries(savedQueriesFile(join(folder, 'toolsearch.json'))),
    config: () => gateway.config,
    configFile: '/etc/toolsearch.json',
    version: '1.2.3',
    transport: 'http',
    hasToken: token !== undefined,
    snippet: (url) => `{"url":"${url}"}`,
    ...(onAction && {
      actions: {
        begin: async (action) => async (end) => onAction({ ...action, ...end }),
        record: onAction,
      },
    }),
    ...more,
  }
  const inspection = createInspection(target, {
    pageFolder: join(folder, 'page'),
    batchMs: 1,
    heartbeatMs: 50,
    ...options,
  })
  const server = await guardedServer(new Map(), {
    token,
    pages: (request, url, sender) => inspection.handle(request, url, caller ?? sender),
  })
  closers.push(async () => {
    inspection.close()
    recorder.close()
    gateway.close()
    await target.history.close()
    await approvals.saved()
    await server.close()
    await rm(folder, { recursive: true, force: true })
  })
  return {
    origin: server.origin,
    folder,
    gateway: recorder.gateway,
    approvals,
    servers,
    async ask(path, init) {
      const response = await fetch(`${server.origin}${path}`, init)
      return { status: response.status, data: (await response.json()) as never }
    },
  }
}
