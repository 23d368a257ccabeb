import { PassThrough } from 'node:stream'
import {
  isTaskStatusNotificationV2,
  readAcceptedTaskIdsV2,
} from '@modelcontextprotocol/ext-tasks/core/v2'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { RefusedError } from './refused-error.ts'
import { serveStdio } from './serve-stdio.ts'
import {
  closeFirst,
  closeTaskGateways,
  endStreams,
  modernRequest,
  post,
  received,
  type Sender,
  send,
  startTaskGateway,
} from './task-gateway.fixtures.ts'

afterEach(closeTaskGateways)

interface Listening {
  /** Every message so far. */
  readonly messages: readonly JsonObject[]
  /** The tasks that the gateway has agreed to report on. */
  readonly accepted: readonly string[]
}

/** Opens a stream over HTTP, and waits for its acknowledgement. */
async function listen(
  url: string,
  notifications: JsonObject,
  sender: Sender = {},
): Promise<Listening> {
  const end = new AbortController()
  const asked = { ...sender, signal: end.signal }
  const response = await post(url, 'subscriptions/listen', { notifications }, asked)
  const messages: JsonObject[] = []
  async function read(): Promise<void> {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (rest + chunk).split('\n\n')
      rest = events.pop()!
      for (const event of events) {
        const data = /^data: (.+)$/m.exec(event)?.[1]
        if (data) messages.push(JSON.parse(data))
      }
    }
  }
  void read().catch(() => {})
  closeFirst({ close: () => end.abort() })
  await expect.poll(() => messages).not.toEqual([])
  return { messages, accepted: acceptedIn(messages[0]!) }
}

const acceptedIn = ({ params }: JsonObject) => readAcceptedTaskIdsV2(params)

/** The states of tasks that were reported, each a valid notification. */
function states({ messages }: Pick<Listening, 'messages'>): JsonObject[] {
  const changes = messages.filter(({ method }) => method === 'notifications/tasks')
  for (const change of changes) expect(isTaskStatusNotificationV2(change)).toBe(true)
  return changes.map(({ params }) => params as JsonObject)
}

async function startTask(url: string, name: string, args: JsonObject = {}, sender?: Sender) {
  return String((await send(url, 'tools/call', { name, arguments: args }, sender)).taskId)
}

async function answerQuestions(url: string, taskId: string, { inputRequests }: JsonObject) {
  const keys = Object.keys(inputRequests as object)
  const inputResponses = Object.fromEntries(keys.map((key) => [key, { action: 'accept' }]))
  await send(url, 'tasks/update', { taskId, inputResponses })
}

describe('a client that listens for tasks', () => {
  it('gets every state of its own tasks, as tasks/get returns it', async () => {
    const { url } = await startTaskGateway()
    const taskId = await startTask(url, 'confirm_delete', { filename: 'x' })
    const foreign = await startTask(url, 'confirm_delete', {}, { person: 'eve' })
    const stream = await listen(url, { taskIds: [taskId, foreign, 'guess'] })
    expect(stream.accepted).toEqual([taskId])
    expect(stream.messages[0]!.params).toMatchObject({
      notifications: { taskIds: [taskId] },
      _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
    })

    const asking = await send(url, 'tasks/get', { taskId })
    await answerQuestions(url, taskId, asking)
    await expect.poll(() => states(stream).at(-1)).toMatchObject({ status: 'completed' })
    const { resultType: _, ...last } = await send(url, 'tasks/get', { taskId })
    expect(states(stream).at(-1)).toEqual({
      ...last,
      _meta: { 'io.modelcontextprotocol/subscriptionId': 1 },
    })
    expect(last.result).toMatchObject({ content: [{ text: 'Deleted.' }] })

    const ofOther = await send(url, 'tasks/get', { taskId: foreign }, { person: 'eve' })
    expect(ofOther.status).toBe('input_required')
    expect(new Set(states(stream).map((state) => state.taskId))).toEqual(new Set([taskId]))
  })

  it('gets a result only through the gate, as if it had asked for it', async () => {
    const refused: string[] = []
    const { url } = await startTaskGateway({
      gate(request, next) {
        if (request.method !== 'tasks/get' || request.caller.person.subject !== 'eve') return next()
        refused.push(`${request.target?.server}/${request.target?.name}`)
        const about = { outcome: 'limited', reason: 'rule' } as const
        throw new RefusedError('Too many.', about)
      },
    })
    const sender = { person: 'eve' }
    const taskId = await startTask(url, 'slow_compute', { seconds: 0.1 }, sender)
    const stream = await listen(url, { taskIds: [taskId] }, sender)
    await expect.poll(() => refused).toContain('jobs/slow_compute')
    expect(states(stream).map(({ status }) => status)).not.toContain('completed')
  })

  it('can listen for other changes as well', async () => {
    const { url } = await startTaskGateway()
    const taskId = await startTask(url, 'confirm_delete')
    const both = await listen(url, { taskIds: [taskId], toolsListChanged: true })
    const one = await listen(url, { taskIds: [taskId] })
    const other = await listen(url, { toolsListChanged: true })
    const honored = [both, one, other].map(({ messages }) => {
      return (messages[0]!.params as JsonObject).notifications
    })
    expect(honored).toEqual([
      { taskIds: [taskId], toolsListChanged: true },
      { taskIds: [taskId] },
      { toolsListChanged: true },
    ])
    await send(url, 'tasks/cancel', { taskId })
    for (const stream of [both, one]) {
      await expect.poll(() => states(stream)).toMatchObject([{ status: 'cancelled' }])
    }
    expect(states(other)).toEqual([])
  })

  it('gets nothing about a tool that it may no longer use', async () => {
    const state = { ...createMemoryState(), isShared: true }
    const { url, setRules } = await startTaskGateway({ state, rules: [{ allow: ['jobs/*'] }] })
    const unrestricted = await startTaskGateway({ state })
    const hidden = await startTask(url, 'confirm_delete')
    const visible = await startTask(url, 'multi_input')
    const stream = await listen(url, { taskIds: [hidden, visible] })
    expect(stream.accepted).toEqual([hidden, visible])
    setRules([{ allow: ['jobs/multi_input'] }])
    await send(unrestricted.url, 'tasks/cancel', { taskId: hidden })
    await send(unrestricted.url, 'tasks/cancel', { taskId: visible })
    await expect.poll(() => states(stream)).not.toEqual([])
    expect(states(stream)).toMatchObject([{ taskId: visible, status: 'cancelled' }])
  })

  it('must declare the extension', async () => {
    const { url } = await startTaskGateway()
    const taskId = await startTask(url, 'confirm_delete')
    const params = { notifications: { taskIds: [taskId] } }
    const response = await post(url, 'subscriptions/listen', params, { capabilities: {} })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({
      id: 1,
      error: {
        code: -32021,
        data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
      },
    })
  })

  it('can listen at another replica than the one that runs the call', async () => {
    const state = { ...createMemoryState(), isShared: true }
    const one = await startTaskGateway({ state })
    const other = await startTaskGateway({ state })
    const taskId = await startTask(one.url, 'confirm_delete')
    const stream = await listen(other.url, { taskIds: [taskId] })
    await answerQuestions(one.url, taskId, await send(one.url, 'tasks/get', { taskId }))
    await expect.poll(() => states(stream).at(-1)).toMatchObject({ taskId, status: 'completed' })
    const foreign = await listen(other.url, { taskIds: [taskId] }, { person: 'eve' })
    expect(foreign.accepted).toEqual([])
  })

  it('misses no end of a task although the stream to the server breaks', async () => {
    const { url } = await startTaskGateway()
    const taskId = await startTask(url, 'confirm_delete')
    const stream = await listen(url, { taskIds: [taskId] })
    endStreams()
    // It ends while nobody listens.
    await send(url, 'tasks/cancel', { taskId })
    await expect.poll(() => states(stream)).toMatchObject([{ taskId, status: 'cancelled' }])
  })

  it('leaves no stream to the server behind', async () => {
    const { url } = await startTaskGateway()
    const taskId = await startTask(url, 'confirm_delete')
    const stream = await listen(url, { taskIds: [taskId] })
    received.length = 0
    await send(url, 'tasks/cancel', { taskId })
    await expect.poll(() => states(stream)).toMatchObject([{ status: 'cancelled' }])
    // The task has ended, so nothing is opened again.
    endStreams()
    const next = await startTask(url, 'confirm_delete')
    await listen(url, { taskIds: [next] })
    const listens = received.filter(({ method }) => method === 'subscriptions/listen')
    expect(listens).toHaveLength(1)
  })

  it('can do so over stdio', async () => {
    const { factory } = await startTaskGateway()
    const input = new PassThrough()
    const output = new PassThrough()
    const messages: JsonObject[] = []
    output.on('data', (chunk) => {
      for (const line of String(chunk).trim().split('\n')) messages.push(JSON.parse(line))
    })
    closeFirst(serveStdio(factory, { input, output }))
    const ask = async (id: number, method: string, params: JsonObject, sender?: Sender) => {
      input.write(`${JSON.stringify({ ...modernRequest(method, params, sender), id })}\n`)
      const answer = () => messages.find((message) => message.id === id)
      if (method !== 'subscriptions/listen') await expect.poll(answer).toBeDefined()
      return answer() as JsonObject
    }
    const { result } = await ask(1, 'tools/call', { name: 'confirm_delete', arguments: {} })
    const { taskId } = result as JsonObject
    const notifications = { taskIds: [taskId] }
    await ask(2, 'subscriptions/listen', { notifications })
    const acknowledged = () =>
      messages.find(({ method }) => String(method).endsWith('acknowledged'))
    await expect.poll(acknowledged).toBeDefined()
    expect(acceptedIn(acknowledged()!)).toEqual([taskId])
    await ask(3, 'tasks/cancel', { taskId })
    await expect
      .poll(() => states({ messages }))
      .toMatchObject([
        {
          taskId,
          status: 'cancelled',
          _meta: { 'io.modelcontextprotocol/subscriptionId': 2 },
        },
      ])
    await ask(4, 'subscriptions/listen', { notifications }, { capabilities: {} })
    await expect
      .poll(() => messages.find(({ id }) => id === 4))
      .toMatchObject({ error: { code: -32021 } })
  })
})
