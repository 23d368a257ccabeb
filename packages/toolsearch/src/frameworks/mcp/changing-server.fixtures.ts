import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport as InMemoryTransportV1 } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server as ServerV1 } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import type { McpClient } from './mcp-client.ts'

interface Call {
  readonly signal: AbortSignal
  readonly notify: (progress: number) => Promise<void>
}

/** A server whose tools a test changes. */
interface ChangingServer {
  /** The list of tools. Two pages if there are more than three. */
  tools: { name: string; description?: string }[]
  /** Replaces the list and tells the clients. */
  change(tools: ChangingServer['tools']): Promise<void>
  call(name: string, input: unknown, call: Call): unknown
  /** Makes requests for the list fail. */
  listError?: string | undefined
  listed: number
  disconnect(): Promise<void>
}

export interface Connected {
  readonly server: ChangingServer
  readonly client: McpClient & { close(): Promise<void> }
  /** After the connection was lost. */
  reconnect(): Promise<void>
}

const INFO = { name: 'changing', version: '1.0.0' }
const CAPABILITIES = { capabilities: { tools: { listChanged: true } } }

function changingServer(notify: () => Promise<unknown>, disconnect: () => Promise<void>) {
  const server: ChangingServer = {
    tools: [{ name: 'read' }, { name: 'write' }],
    async change(tools) {
      server.tools = tools
      await notify()
    },
    call: (name) => ({ content: [{ type: 'text', text: `${name} is done.` }] }),
    listed: 0,
    disconnect,
  }
  return server
}

function listPage(server: ChangingServer, cursor: string | undefined) {
  if (server.listError !== undefined) throw new Error(server.listError)
  server.listed++
  const tools = server.tools.map((tool) => ({ inputSchema: { type: 'object' as const }, ...tool }))
  if (tools.length <= 3) return { tools }
  return cursor === undefined
    ? { tools: tools.slice(0, 3), nextCursor: 'second' }
    : { tools: tools.slice(3) }
}

function createServer(server: ChangingServer): Server {
  const sdk = new Server(INFO, CAPABILITIES)
  sdk.setRequestHandler('tools/list', ({ params }) => listPage(server, params?.cursor))
  sdk.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    const notify = async (progress: number) => {
      if (progressToken === undefined) return
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress } })
    }
    return (await server.call(params.name, params.arguments, {
      signal: mcpReq.signal,
      notify,
    })) as never
  })
  return sdk
}

/** SDK 1 on both sides. */
async function connectV1(): Promise<Connected> {
  const sdk = new ServerV1(INFO, CAPABILITIES)
  const server = changingServer(
    () => sdk.sendToolListChanged(),
    () => sdk.close(),
  )
  sdk.setRequestHandler(ListToolsRequestSchema, ({ params }) => listPage(server, params?.cursor))
  sdk.setRequestHandler(CallToolRequestSchema, async ({ params }, extra) => {
    const progressToken = extra._meta?.progressToken
    const notify = async (progress: number) => {
      if (progressToken === undefined) return
      const method = 'notifications/progress'
      await extra.sendNotification({ method, params: { progressToken, progress } })
    }
    return (await server.call(params.name, params.arguments, {
      signal: extra.signal,
      notify,
    })) as never
  })
  const client = new ClientV1({ name: 'test', version: '1.0.0' })
  const connect = async () => {
    const [near, far] = InMemoryTransportV1.createLinkedPair()
    await Promise.all([sdk.connect(far), client.connect(near)])
  }
  await connect()
  return { server, client, reconnect: connect }
}

/** SDK 2 with the protocol versions before 2026-07-28. */
async function connectLegacy(): Promise<Connected> {
  const server = changingServer(
    () => sdk.sendToolListChanged(),
    () => sdk.close(),
  )
  const sdk = createServer(server)
  const client = new Client({ name: 'test', version: '1.0.0' })
  const connect = async () => {
    const [near, far] = InMemoryTransport.createLinkedPair()
    await Promise.all([sdk.connect(far), client.connect(near)])
  }
  await connect()
  return { server, client, reconnect: connect }
}

const MODERN = { versionNegotiation: { mode: { pin: '2026-07-28' } } } as const

/** SDK 2 with protocol version 2026-07-28, on a connection as over stdio. */
async function connectModern(): Promise<Connected> {
  let sdk: Server
  let transport: InMemoryTransport
  const server = changingServer(
    () => sdk.sendToolListChanged(),
    () => transport.close(),
  )
  const client = new Client({ name: 'test', version: '1.0.0' }, MODERN)
  const connect = async () => {
    const [near, far] = InMemoryTransport.createLinkedPair()
    transport = far
    serveStdio(() => (sdk = createServer(server)), { transport })
    await client.connect(near)
  }
  await connect()
  return { server, client, reconnect: connect }
}

/** SDK 2 with protocol version 2026-07-28 over HTTP, without a socket. */
async function connectHttp(): Promise<Connected> {
  const server = changingServer(
    async () => handler.notify.toolsChanged(),
    async () => client.close(),
  )
  const handler = createMcpHandler(() => createServer(server))
  const client = new Client({ name: 'test', version: '1.0.0' }, MODERN)
  const connect = async () => {
    const transport = new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
      fetch: (url, init) => handler.fetch(new Request(url, init)),
    })
    await client.connect(transport)
  }
  await connect()
  return { server, client, reconnect: connect }
}

export const CONNECTIONS: Readonly<Record<string, () => Promise<Connected>>> = {
  'SDK 1': connectV1,
  'SDK 2, protocol before 2026-07-28': connectLegacy,
  'SDK 2, protocol 2026-07-28': connectModern,
  'SDK 2, protocol 2026-07-28 over HTTP': connectHttp,
}
