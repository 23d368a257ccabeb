import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks'
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  createMcpHandler,
  ProtocolError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import {
  type FixtureTool,
  NO_PARAMETERS,
  text,
} from '../../../../testing/conformance/fixture/fixture-tool.ts'
import {
  serveTasks,
  streamTasks,
  TASK_TOOLS,
  TASKS,
} from '../../../../testing/conformance/fixture/task-tools.ts'
import { createAccess } from '../access/create-access.ts'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import type { AccessRuleConfig } from '../config/team-config.ts'
import { bearerToken } from '../identity/bearer-token.ts'
import type { Identity } from '../identity/identity.ts'
import { LOCAL_PERSON, personId } from '../identity/person.ts'
import { createGateway } from '../offering/gateway.ts'
import { gatewayConfig } from '../offering/upstream-set.fixtures.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { createMemoryState } from '../state/memory-state.ts'
import type { ReplicaCalls } from '../state/replica-calls.ts'
import { createUpstream } from '../upstreams/create-upstream.ts'
import { serverConfig } from '../upstreams/fixtures/servers.fixtures.ts'
import { type HttpService, serveHttp } from './http/serve-http.ts'
import { type GatewayServerFactory, mcpServer } from './mcp-server.ts'
import type { AgentRequest, RequestGate } from './request-gate.ts'

const closing: { close(): unknown }[] = []

/** Call it after each test. */
export async function closeTaskGateways(): Promise<void> {
  await Promise.all(closing.splice(0).map((each) => each.close()))
}

/** Closes something before the gateways. */
export function closeFirst(each: { close(): unknown }): void {
  closing.unshift(each)
}

async function listen(handle: RequestListener): Promise<string> {
  const http = createServer(handle)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  http.unref()
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

/** The requests that the server with tasks has received. */
export const received: { method: string; taskId?: string }[] = []

/** Calls of slow tools: each waits until it is released. */
export const waiting: { readonly release: () => void; readonly signal: AbortSignal }[] = []

async function released({ mcpReq: { signal } }: ServerContext): Promise<void> {
  await new Promise<void>((release) => {
    waiting.push({ release, signal })
    signal.addEventListener('abort', () => release(), { once: true })
  })
}

/** Tools that never run as tasks, and take as long as a test wants. */
const SLOW_TOOLS: readonly FixtureTool[] = [
  {
    name: 'wait',
    description: 'Waits.',
    inputSchema: NO_PARAMETERS,
    async call(_, context) {
      await released(context)
      return text('Waited.')
    },
  },
  {
    name: 'wait_and_ask',
    description: 'Waits, then asks for a name.',
    inputSchema: NO_PARAMETERS,
    async call(_, context) {
      const answers = context.mcpReq.inputResponses as
        | { who?: { content?: { name?: string } } }
        | undefined
      if (answers) return text(`Hello, ${answers.who?.content?.name}!`)
      await released(context)
      const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } }
      const params = { mode: 'form', message: 'Who?', requestedSchema }
      const inputRequests = { who: { method: 'elicitation/create', params } }
      return { resultType: 'input_required', inputRequests, requestState: 'asked' }
    },
  },
  {
    name: 'wait_and_break',
    description: 'Waits, then fails.',
    inputSchema: NO_PARAMETERS,
    async call(_, context) {
      await released(context)
      throw new ProtocolError(-32_050, 'It broke.')
    },
  },
]

let streamsEnd = new AbortController()

/** Ends the streams with which the server reports changes to tasks. */
export function endStreams(): void {
  streamsEnd.abort()
  streamsEnd = new AbortController()
}

/** Tools that run as tasks, in the modern protocol. */
function modernServer(): Promise<string> {
  const handler = createMcpHandler(() => {
    const extensions = { [TASKS]: {} }
    const server = new Server(
      { name: 'jobs', version: '1' },
      { capabilities: { tools: {}, extensions } },
    )
    const tools = [...TASK_TOOLS, ...SLOW_TOOLS]
    server.setRequestHandler('tools/list', () => ({
      tools: tools.map(({ call: _, ...definition }) => definition) as never[],
    }))
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = tools.find(({ name }) => name === params.name)!
      return (await tool.call(params.arguments ?? {}, context)) as never
    })
    serveTasks(server)
    return server
  })
  const serve = toNodeHandler({
    async fetch(request, given) {
      const body = (request.method === 'POST' ? await request.clone().json() : {}) as {
        id?: unknown
        method: string
        params?: { taskId?: string; notifications?: { taskIds?: string[] } }
      }
      const taskId = body.params?.taskId
      received.push({ method: body.method, ...(taskId !== undefined && { taskId }) })
      const end = AbortSignal.any([request.signal, streamsEnd.signal])
      return streamTasks(body, end) ?? handler.fetch(request, given)
    },
  })
  return listen((request, response) => void serve(request as never, response))
}

const LEGACY_TOOLS = [
  ['research', 'required'],
  ['summarize', 'optional'],
] as const

/** Tools that run as tasks, in the protocol of 2025-11-25. */
function legacyServer(): Promise<string> {
  return listen(async (request, response) => {
    const server = new OldServer(
      { name: 'old', version: '1' },
      {
        capabilities: { tasks: { requests: { tools: { call: {} } }, cancel: {} } },
        taskStore,
      },
    )
    for (const [name, taskSupport] of LEGACY_TOOLS) {
      server.experimental.tasks.registerToolTask(
        name,
        { execution: { taskSupport } },
        {
          async createTask({ taskStore: store }) {
            const task = await store.createTask({ pollInterval: 50 })
            const result = { content: [{ type: 'text' as const, text: `${name} is done.` }] }
            // not through `store`, whose connection has ended by then
            const finish = () => taskStore.storeTaskResult(task.taskId, 'completed', result)
            setTimeout(finish, 200)
            return { task }
          },
          getTask: async ({ taskId, taskStore: store }) => (await store.getTask(taskId))!,
          getTaskResult: async ({ taskId, taskStore: store }) =>
            (await store.getTaskResult(taskId)) as never,
        },
      )
    }
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
    } as never)
    response.on('close', () => void server.close())
    await server.connect(transport as never)
    await transport.handleRequest(request, response)
  })
}
const taskStore = new InMemoryTaskStore()

const taskServers = Promise.all([modernServer(), legacyServer()])

/** A token is a name. */
const identity: Identity = {
  url: 'http://127.0.0.1',
  authenticate({ headers }) {
    const name = bearerToken(headers) ?? ''
    const person = { ...LOCAL_PERSON, id: personId('test', name), subject: name }
    return { person: { ...person, role: 'member' as const } }
  },
  serves: () => false,
  handle: async () => new Response(),
}

interface StartOptions {
  readonly server?: Partial<ServerConfig>
  readonly settings?: Partial<GatewayConfig>
  readonly rules?: readonly AccessRuleConfig[]
  /** Shared by the replicas. */
  readonly state?: ReturnType<typeof createMemoryState>
  readonly replicas?: ReplicaCalls
  /** Inside of the one that keeps the requests. */
  readonly gate?: RequestGate
}

export interface TaskGateway {
  readonly url: string
  readonly service: HttpService
  readonly factory: GatewayServerFactory
  /** What has passed the gate. */
  readonly requests: readonly AgentRequest[]
  setRules(next: readonly AccessRuleConfig[]): void
}

/** Starts a gateway in front of both servers. */
export async function startTaskGateway({
  server,
  settings,
  rules,
  state,
  replicas,
  gate = (_request, next) => next(),
}: StartOptions = {}): Promise<TaskGateway> {
  const remote = (name: string, url: string) =>
    serverConfig({ kind: 'http', url, headers: {} }, { name, prefix: false, ...server })
  const [jobs, old] = await taskServers
  const configs = [remote('jobs', jobs), { ...remote('old', old), prefix: true }]
  const upstreams = new Map(configs.map((each) => [each.name, createUpstream(each)]))
  await Promise.all([...upstreams.values()].map((upstream) => upstream.connect()))
  const servers: UpstreamSet = {
    upstreams,
    subscribe: () => () => {},
    onNotification: () => () => {},
  }
  const profile = { deny: [], readOnly: false }
  const config = gatewayConfig(configs, {
    mode: 'passthrough',
    profiles: { other: profile },
    ...settings,
  })
  let access = rules && createAccess({ ...config, access: { rules, cedar: [] } })
  const gateway = createGateway(config, servers, {
    ...(state && { state }),
    ...(rules && { access: { rightsOf: (caller) => access!.rightsOf(caller) } }),
  })
  const requests: AgentRequest[] = []
  const factory = mcpServer(gateway, servers, {
    version: '1',
    replicas,
    gate(request, next) {
      requests.push(request)
      return gate(request, next)
    },
  })
  const service = await serveHttp(factory, { gateway, servers, identity })
  closing.push(service, ...upstreams.values())
  return {
    url: service.url,
    service,
    factory,
    requests,
    setRules(next: readonly AccessRuleConfig[]) {
      access = createAccess({ ...config, access: { rules: next, cedar: [] } })
    },
  }
}

export interface Sender {
  readonly person?: string
  readonly capabilities?: object
}

/** A request of the modern protocol. */
export function modernRequest(
  method: string,
  params: JsonObject,
  { capabilities = { extensions: { [TASKS]: {} } } }: Sender = {},
): JsonObject {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  return { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }
}

export function post(
  url: string,
  method: string,
  params: JsonObject,
  sender: Sender & { readonly signal?: AbortSignal } = {},
): Promise<Response> {
  const { person = 'ann', signal } = sender
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${person}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params.name ?? params.taskId),
    },
    body: JSON.stringify(modernRequest(method, params, sender)),
    ...(signal && { signal }),
  })
}

/** Sends a request of the modern protocol. Rejects with the error of the response. */
export async function send(
  url: string,
  method: string,
  params: JsonObject,
  sender?: Sender,
): Promise<JsonObject> {
  const text = await (await post(url, method, params, sender)).text()
  const message = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text)
  if (message.error) throw message.error
  return message.result
}
