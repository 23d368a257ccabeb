import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import { TASKS } from '../protocol/task-extension.ts'
import { createMemoryState } from '../state/memory-state.ts'
import {
  closeFirst,
  closeTaskGateways,
  received,
  type Sender,
  send,
  startTaskGateway,
} from './task-gateway.fixtures.ts'

afterEach(closeTaskGateways)

const slow = (seconds: number) => ({ name: 'slow_compute', arguments: { seconds } })
const taskOf = async (url: string, params: JsonObject, sender?: Sender) =>
  String((await send(url, 'tools/call', params, sender)).taskId)
const settled = (url: string, taskId: string) =>
  expect.poll(async () => send(url, 'tasks/get', { taskId })).toMatchObject({ taskId })

const UNKNOWN = { code: -32602, message: 'Unknown task.' }

describe('tasks of servers', () => {
  it('are passed on under an id of the gateway, and count as one call', async () => {
    received.length = 0
    const { url, requests } = await startTaskGateway()
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
    const { url } = await startTaskGateway()
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
    const { url, setRules } = await startTaskGateway({ rules: [{ allow: ['jobs/*'] }] })
    const taskId = await taskOf(url, slow(60))
    setRules([{ allow: ['jobs/greet'] }])
    await expect(send(url, 'tasks/get', { taskId })).rejects.toEqual(UNKNOWN)
    await expect(send(url, 'tasks/cancel', { taskId })).rejects.toEqual(UNKNOWN)
    setRules([{ allow: ['jobs/*'] }])
    await settled(url, taskId)
    await send(url, 'tasks/cancel', { taskId })
  })

  it('can be started through a call tool, and ask questions', async () => {
    const { url } = await startTaskGateway({ settings: { mode: 'search', callTools: 'one' } })
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

  it('have results whose rest can be read', async () => {
    const limits = { connectMs: 30_000, callMs: 30_000, resultChars: 4 }
    const { url } = await startTaskGateway({
      server: { limits },
      settings: { mode: 'search', callTools: 'one' },
    })
    const taskId = await taskOf(url, { name: 'call_tool', arguments: slow(0) })
    let text = ''
    await expect
      .poll(async () => {
        const { result } = await send(url, 'tasks/get', { taskId })
        text = String((result as { content?: { text: string }[] })?.content?.[0]?.text)
        return text
      })
      .toMatch(/^Comp/)
    const [id] = /[\da-f-]{36}/.exec(text)!
    const rest = { name: 'read_result', arguments: { id, offset: 4 } }
    expect(await send(url, 'tools/call', rest)).toMatchObject({ content: [{ text: 'uted.' }] })
  })

  it('are found by every replica', async () => {
    const state = { ...createMemoryState(), isShared: true }
    const [one, other] = await Promise.all([
      startTaskGateway({ state }),
      startTaskGateway({ state }),
    ])
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
    const { url } = await startTaskGateway()
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
    const { url } = await startTaskGateway()
    expect(await send(url, 'tools/call', { name: 'old__research' }, none)).toMatchObject({
      content: [{ text: 'research is done.' }],
    })
  })

  it.each(['2026-07-28', 'legacy'] as const)('answer questions of tasks (%s)', async (mode) => {
    const { url } = await startTaskGateway()
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
    closeFirst(client)
    const result = await client.callTool({ name: 'multi_input', arguments: {} })
    expect(result.content).toEqual([{ type: 'text', text: 'Answered.' }])
    expect(asked.sort()).toEqual(['First?', 'Second?'])
  })

  it('cancel the task with the call', async () => {
    const { url } = await startTaskGateway()
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)))
    closeFirst(client)
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
    const { url } = await startTaskGateway({ server: { waitForTasks: false } })
    await expect(send(url, 'tools/call', { name: 'failing_job' }, none)).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { [TASKS]: {} } } },
    })
    await expect(send(url, 'tasks/get', { taskId: 'x' }, none)).rejects.toMatchObject({
      code: -32021,
    })
  })
})

describe('clients of 2025-11-25', () => {
  /** With the SDK of that version. */
  async function connect(url: string) {
    const client = new OldClient({ name: 'test', version: '1' })
    await client.connect(new OldTransport(new URL(url)) as never)
    closeFirst(client)
    return client
  }

  const done = (name: string) => ({ content: [{ type: 'text', text: `${name} is done.` }] })

  it.each(['research', 'summarize'])('call %s like any other tool', async (name) => {
    const { url } = await startTaskGateway()
    const client = await connect(url)
    expect(client.getServerCapabilities()).not.toHaveProperty('tasks')
    // The SDK remembers which of the listed tools require tasks, and refuses to call them.
    const { tools } = await client.listTools()
    expect(tools.filter(({ execution }) => execution)).toEqual([])
    expect(await client.callTool({ name: `old__${name}` })).toEqual(done(name))
  })

  it.each(['research', 'summarize'])(
    'get the result of %s although they ask for a task',
    async (name) => {
      const { url } = await startTaskGateway()
      const client = await connect(url)
      const params = { name: `old__${name}`, task: {} }
      const request = { method: 'tools/call' as const, params }
      expect(await client.request(request, CallToolResultSchema.strict())).toEqual(done(name))
    },
  )
})
