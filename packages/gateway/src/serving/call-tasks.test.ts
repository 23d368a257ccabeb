import { isCreateTaskResultV2, isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { createReplicaCalls } from '../state/replica-calls.ts'
import {
  closeFirst,
  closeTaskGateways,
  received,
  type Sender,
  send,
  startTaskGateway,
  waiting,
} from './task-gateway.fixtures.ts'

afterEach(async () => {
  for (const { release } of waiting.splice(0)) release()
  await closeTaskGateways()
})

/** So short that every call that waits becomes a task. */
const settings = { taskSeconds: 0.05 }
const UNKNOWN = { code: -32602, message: 'Unknown task.' }

async function startLong(url: string, name: string, sender?: Sender): Promise<string> {
  const created = await send(url, 'tools/call', { name, arguments: {} }, sender)
  expect(isCreateTaskResultV2(created)).toBe(true)
  return String(created.taskId)
}

async function taskOf(url: string, taskId: string, sender?: Sender): Promise<JsonObject> {
  const { resultType, ...task } = await send(url, 'tasks/get', { taskId }, sender)
  expect(resultType).toBe('complete')
  expect(isDetailedTaskV2(task)).toBe(true)
  return task
}

const release = () => {
  for (const each of waiting.splice(0)) each.release()
}

describe('a call that takes long', () => {
  it('becomes a task of the person who made it, and runs once', async () => {
    const { url, requests } = await startTaskGateway({ settings })
    received.length = 0
    const taskId = await startLong(url, 'wait')
    expect(await taskOf(url, taskId)).toMatchObject({ taskId, status: 'working', ttlMs: null })
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      await expect(send(url, method, { taskId }, { person: 'eve' })).rejects.toEqual(UNKNOWN)
      await expect(send(`${url}/p/other`, method, { taskId })).rejects.toEqual(UNKNOWN)
    }
    expect(waiting.map(({ signal }) => signal.aborted)).toEqual([false])
    release()
    await expect
      .poll(() => taskOf(url, taskId))
      .toMatchObject({ status: 'completed', result: { content: [{ text: 'Waited.' }] } })
    expect(received.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
    expect(requests.filter(({ method }) => method === 'tools/call')).toHaveLength(1)
  })

  it('is cancelled on the server with its task', async () => {
    const { url } = await startTaskGateway({ settings })
    const taskId = await startLong(url, 'wait')
    const [{ signal }] = waiting as [(typeof waiting)[0]]
    await send(url, 'tasks/cancel', { taskId })
    await expect.poll(() => signal.aborted).toBe(true)
    await expect.poll(() => taskOf(url, taskId)).toMatchObject({ status: 'cancelled' })
  })

  it('asks its questions as a task', async () => {
    const { url } = await startTaskGateway({ settings })
    const capabilities = {
      elicitation: { form: {} },
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    }
    const taskId = await startLong(url, 'wait_and_ask', { capabilities })
    release()
    await expect.poll(() => taskOf(url, taskId)).toMatchObject({ status: 'input_required' })
    const { inputRequests } = await taskOf(url, taskId)
    const [[key, question]] = Object.entries(inputRequests as JsonObject) as [[string, JsonObject]]
    expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } })
    await send(url, 'tasks/update', { taskId, inputResponses: { other: {} } })
    const inputResponses = { [key]: { action: 'accept', content: { name: 'Ann' } } }
    await send(url, 'tasks/update', { taskId, inputResponses })
    await expect
      .poll(() => taskOf(url, taskId))
      .toMatchObject({ status: 'completed', result: { content: [{ text: 'Hello, Ann!' }] } })
  })

  it('fails with the error of the server', async () => {
    const { url } = await startTaskGateway({ settings })
    const taskId = await startLong(url, 'wait_and_break')
    release()
    await expect
      .poll(() => taskOf(url, taskId))
      .toMatchObject({ status: 'failed', error: { code: -32050, message: 'It broke.' } })
  })

  it('can be made through a call tool, and disappears with the tool', async () => {
    const { url, setRules } = await startTaskGateway({
      settings: { ...settings, mode: 'search', callTools: 'one' },
      rules: [{ allow: ['jobs/*'] }],
    })
    const params = { name: 'call_tool', arguments: { name: 'wait', arguments: {} } }
    const { taskId } = await send(url, 'tools/call', params)
    expect(await taskOf(url, String(taskId))).toMatchObject({ status: 'working' })
    setRules([{ allow: ['jobs/greet'] }])
    await expect(send(url, 'tasks/get', { taskId })).rejects.toEqual(UNKNOWN)
    setRules([{ allow: ['jobs/*'] }])
    expect(await taskOf(url, String(taskId))).toMatchObject({ status: 'working' })
  })

  it('is found by every replica, and its result outlives the one that ran it', async () => {
    const state = { ...createMemoryState(), isShared: true }
    const [one, other] = await Promise.all(
      [1, 2].map(async () => {
        const replicas = await createReplicaCalls(state, { group: 'g', silenceMs: 1_000 })
        closeFirst(replicas)
        return { replicas, ...(await startTaskGateway({ settings, state, replicas })) }
      }),
    )
    const cancelled = await startLong(one!.url, 'wait')
    expect(await taskOf(other!.url, cancelled)).toMatchObject({ status: 'working' })
    await expect(
      send(other!.url, 'tasks/get', { taskId: cancelled }, { person: 'eve' }),
    ).rejects.toEqual(UNKNOWN)
    await send(other!.url, 'tasks/cancel', { taskId: cancelled })
    await expect.poll(() => taskOf(one!.url, cancelled)).toMatchObject({ status: 'cancelled' })

    const completed = await startLong(one!.url, 'wait')
    release()
    await expect.poll(() => taskOf(other!.url, completed)).toMatchObject({ status: 'completed' })
    const lost = await startLong(one!.url, 'wait')
    await one!.replicas.close()
    expect(await taskOf(other!.url, completed)).toMatchObject({ status: 'completed' })
    expect(await taskOf(other!.url, lost)).toMatchObject({
      status: 'failed',
      statusMessage: expect.stringContaining('has stopped'),
    })
  })

  it('is what a gateway that is about to stop waits for', async () => {
    const { url, service } = await startTaskGateway({ settings })
    await startLong(url, 'wait')
    expect(service.running).toBe(1)
    let isDrained = false
    const drained = service.drain({ timeoutMs: 60_000 }).then(() => {
      isDrained = true
    })
    await new Promise(setImmediate)
    expect(isDrained).toBe(false)
    release()
    await drained
    expect(service.running).toBe(0)
  })

  it('is answered as usual if the client does not know tasks, or if the setting is off', async () => {
    const { url } = await startTaskGateway({ settings })
    const off = await startTaskGateway()
    const params = { name: 'wait', arguments: {} }
    const answers = Promise.all([
      send(url, 'tools/call', params, { capabilities: {} }),
      send(off.url, 'tools/call', params),
    ])
    await expect.poll(() => waiting).toHaveLength(2)
    release()
    const waited = { content: [{ type: 'text', text: 'Waited.' }] }
    expect(await answers).toMatchObject([waited, waited])
  })
})
