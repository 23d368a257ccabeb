import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { InMemoryTaskStore } from '@modelcontextprotocol/sdk/experimental/tasks'
import { McpServer as OldServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import {
  serveTasks,
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
import { createMemoryState } from '../state/memory-state.ts'
import { createUpstream } from '../upstreams/create-upstream.ts'
import { serverConfig } from '../upstreams/fixtures/servers.fixtures.ts'
import { serveHttp } from './http/serve-http.ts'
import { mcpServer } from './mcp-server.ts'
import type { AgentRequest } from './request-gate.ts'

const closing: { close(): unknown }[] = []
afterEach(async () => {
  await Promise.all(closing.splice(0).map((each) => each.close()))
})

async function listen(handle: RequestListener): Promise<string> {
  const http = createServer(handle)
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  http.unref()
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

/** The requests that the server with tasks has received. */
const received: { method: string; taskId?: string }[] = []

/** Tools that run as tasks, in the modern protocol. */
function modernServer(): Promise<string> {
  const handler = createMcpHandler(() => {
    const extensions = { [TASKS]: {} }
    const server = new Server(
      { name: 'jobs', version: '1' },
      { capabilities: { tools: {}, extensions } },
    )
    server.setRequestHandler('tools/list', () => ({
      tools: TASK_TOOLS.map(({ call: _, ...definition }) => definition) as never[],
    }))
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = TASK_TOOLS.find(({ name }) => name === params.name)!
      return (await tool.call(params.arguments ?? {}, context)) as never
    })
    serveTasks(server)
    return server
  })
  const serve = toNodeHandler({
    async fetch(request, given) {
      const body = (request.method === 'POST' ? await request.clone().json() : {}) as {
        method: string
        params?: { taskId?: string }
      }
      const taskId = body.params?.taskId
      received.push({ method: body.method, ...(taskId !== undefined && { taskId }) })
      return handler.fetch(request, given)
    },
  })
  return listen((request, response) => void serve(request as never, response))
}

/** A tool that runs only as a task, in the protocol of 2025-11-25. */
function legacyServer(): Promise<string> {
  return listen(async (request, response) => {
    const server = new OldServer(
      { name: 'old', version: '1' },
      {
        capabilities: { tasks: { requests: { tools: { call: {} } }, cancel: {} } },
        taskStore,
      },
    )
    server.experimental.tasks.registerToolTask(
      'research',
      { execution: { taskSupport: 'required' } },
      {
        async createTask({ taskStore: store }) {
          const task = await store.createTask({ pollInterval: 50 })
          const result = { content: [{ type: 'text' as const, text: 'Researched.' }] }
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
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
    } as never)
    response.on('close', () => void server.close())
    await server.connect(transport as never)
    await transport.handleRequest(request, response)
  })
}
const taskStore = new InMemoryTaskStore()

let jobs: string
let old: string
beforeAll(async () => {
  jobs = await modernServer()
  old = await legacyServer()
})

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
}

async function start({ server, settings, rules, state }: StartOptions = {}) {
  const remote = (name: string, url: string) =>
    serverConfig({ kind: 'http', url, headers: {} }, { name, prefix: false, ...server })
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
    gate(request, next) {
      requests.push(request)
      return next()
    },
  })
  const service = await serveHttp(factory, { gateway, servers, identity })
  closing.push(service, ...upstreams.values())
  return {
    url: service.url,
    requests,
    setRules(next: readonly AccessRuleConfig[]) {
      access = createAccess({ ...config, access: { rules: next, cedar: [] } })
    },
  }
}

interface Sender {
  readonly person?: string
  readonly capabilities?: object
}

/** Sends a request of the modern protocol. Rejects with the error of the response. */
async function send(
  url: string,
  method: string,
  params: JsonObject,
  { person = 'ann', capabilities = { extensions: { [TASKS]: {} } } }: Sender = {},
): Promise<JsonObject> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${person}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      'mcp-name': String(params.name ?? params.taskId),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  const text = await response.text()
  const message = JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text)
  if (message.error) throw message.error
  return message.result
}

const slow = (seconds: number) => ({ name: 'slow_compute', arguments: { seconds } })
const taskOf = async (url: string, params: JsonObject, sender?: Sender) =>
  String((await send(url, 'tools/call', params, sender)).taskId)
const settled = (url: string, taskId: string) =>
  expect.poll(async () => send(url, 'tasks/get', { taskId })).toMatchObject({ taskId })

const UNKNOWN = { code: -32602, message: 'Unknown task.' }

describe('tasks of servers', () => {
  it('are passed on under an id of the gateway, and count as one call', async () => {
    received.length = 0
    const { url, requests } = await start()
    const created = await send(url, 'tools/call', slow(0.2))
    expect(created).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 600_000 })
    expect(created).not.toHaveProperty('content')
    const taskId = String(created.taskId)
    await expect
      .poll(() => send(url, 'tasks/get', { taskId }))
      .toMatchObject({ taskId, status: 'completed', result: { content: [{ text: 'Computed.' }] } })
    const ids = received.filter(({ method }) => method === 'tasks/get').map((each) => each.taskId)
    expect(ids).not.toContain(taskId)
    expect(requests.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  })

  it('belong to the person and the profile of the call', async () => {
    const { url } = await start()
    const taskId = await taskOf(url, slow(60))
    const others: [string, Sender][] = [
      [url, { person: 'eve' }],
      [`${url}/p/other`, { person: 'ann' }],
    ]
    for (const [address, sender] of others) {
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        await expect(send(address, method, { taskId }, sender)).rejects.toEqual(UNKNOWN)
      }
    }
    await expect(send(url, 'tasks/get', { taskId: 'guess' })).rejects.toEqual(UNKNOWN)
    await settled(url, taskId)
    expect(await send(url, 'tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' })
    expect(await send(url, 'tasks/get', { taskId })).toMatchObject({ status: 'cancelled' })
  })

  it('are hidden together with their tool', async () => {
    const { url, setRules } = await start({ rules: [{ allow: ['jobs/*'] }] })
    const taskId = await taskOf(url, slow(60))
    setRules([{ allow: ['jobs/greet'] }])
    await expect(send(url, 'tasks/get', { taskId })).rejects.toEqual(UNKNOWN)
    await expect(send(url, 'tasks/cancel', { taskId })).rejects.toEqual(UNKNOWN)
    setRules([{ allow: ['jobs/*'] }])
    await settled(url, taskId)
    await send(url, 'tasks/cancel', { taskId })
  })

  it('can be started through a call tool, and ask questions', async () => {
    const { url } = await start({ settings: { mode: 'search', callTools: 'one' } })
    const inner = { name: 'confirm_delete', arguments: { filename: 'x' } }
    const taskId = await taskOf(url, { name: 'call_tool', arguments: inner })
    await expect
      .poll(() => send(url, 'tasks/get', { taskId }))
      .toMatchObject({ status: 'input_required' })
    const { inputRequests } = await send(url, 'tasks/get', { taskId })
    const answers = Object.keys(inputRequests as object).map((key) => [key, { action: 'accept' }])
    await send(url, 'tasks/update', { taskId, inputResponses: Object.fromEntries(answers) })
    await expect
      .poll(() => send(url, 'tasks/get', { taskId }))
      .toMatchObject({ status: 'completed', result: { content: [{ text: 'Deleted.' }] } })
  })

  it('are found by every replica', async () => {
    const state = { ...createMemoryState(), isShared: true }
    const [one, other] = await Promise.all([start({ state }), start({ state })])
    const taskId = await taskOf(one.url, slow(60))
    await settled(other.url, taskId)
    await expect(send(other.url, 'tasks/get', { taskId }, { person: 'eve' })).rejects.toEqual(
      UNKNOWN,
    )
    await send(other.url, 'tasks/cancel', { taskId })
    expect(await send(one.url, 'tasks/get', { taskId })).toMatchObject({ status: 'cancelled' })
  })
})

describe('clients that do not know tasks', () => {
  const none: Sender = { capabilities: {} }

  it('wait for tools that run only as tasks', async () => {
    const { url } = await start()
    expect(await send(url, 'tools/call', { name: 'failing_job' }, none)).toMatchObject({
      resultType: 'complete',
      isError: true,
      content: [{ text: 'It failed.' }],
    })
    // a tool that can do without is called without
    received.length = 0
    expect(await send(url, 'tools/call', slow(0), none)).toMatchObject({
      content: [{ text: 'Computed.' }],
    })
    expect(received.map(({ method }) => method)).not.toContain('tasks/get')
  })

  it('wait for tools of 2025-11-25', async () => {
    const { url } = await start()
    expect(await send(url, 'tools/call', { name: 'old__research' }, none)).toMatchObject({
      content: [{ text: 'Researched.' }],
    })
  })

  it.each(['2026-07-28', 'legacy'] as const)('answer questions of tasks (%s)', async (mode) => {
    const { url } = await start()
    const client = new Client(
      { name: 'test', version: '1' },
      {
        capabilities: { elicitation: { form: {} } },
        versionNegotiation: { mode: mode === 'legacy' ? mode : { pin: mode } },
      },
    )
    const asked: string[] = []
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return { action: 'accept', content: {} }
    })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    closing.unshift(client)
    const result = await client.callTool({ name: 'multi_input', arguments: {} })
    expect(result.content).toEqual([{ type: 'text', text: 'Answered.' }])
    expect(asked.sort()).toEqual(['First?', 'Second?'])
  })

  it('cancel the task with the call', async () => {
    const { url } = await start()
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    closing.unshift(client)
    received.length = 0
    const controller = new AbortController()
    const call = client.callTool(
      { name: 'confirm_delete', arguments: {} },
      { signal: controller.signal },
    )
    call.catch(() => {})
    const methods = () => received.map(({ method }) => method)
    await expect.poll(methods).toContain('tasks/get')
    controller.abort()
    await expect(call).rejects.toThrow()
    await expect.poll(methods).toContain('tasks/cancel')
  })

  it('are rejected if they should not wait', async () => {
    const { url } = await start({ server: { waitForTasks: false } })
    await expect(send(url, 'tools/call', { name: 'failing_job' }, none)).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    })
    await expect(send(url, 'tasks/get', { taskId: 'x' }, none)).rejects.toMatchObject({
      code: -32021,
    })
  })
})
