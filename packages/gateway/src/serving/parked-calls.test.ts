import { describe, expect, it, vi } from 'vitest'
import type { JsonObject } from '../protocol/json-object.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { createParkedCalls } from './parked-calls.ts'
import type { RequestingClient } from './requesting-client.ts'

const never = new AbortController().signal
const question = { message: 'Sure?', requestedSchema: { type: 'object' } }

function client(signal: AbortSignal = never, onProgress = () => {}): RequestingClient {
  return {
    person: 'ann',
    capabilities: { elicitation: {} },
    options: { signal, onProgress },
    ask: () => Promise.reject(new Error('A modern client is not asked with requests.')),
    notificationsSent: async () => {},
  }
}

/** Asks two questions and returns the answers. */
async function curious({ onServerRequest, onProgress }: RequestOptions): Promise<JsonObject> {
  const first = await onServerRequest!('elicitation/create', question, never)
  onProgress?.({ progress: 1 })
  const second = await onServerRequest!('elicitation/create', question, never)
  return { answers: [first.action, second.action] }
}

describe('parked calls', () => {
  it('return each question as a result, then the actual result', async () => {
    const parked = createParkedCalls()
    const asked = await parked.start(client(), curious)
    expect(asked).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        answer: { method: 'elicitation/create', params: { ...question, mode: 'form' } },
      },
    })
    const onProgress = vi.fn()
    const next = client(never, onProgress)
    const again = await parked.resume(next, asked.requestState, { answer: { action: 'accept' } })
    expect(again).toMatchObject({ resultType: 'input_required' })
    expect(onProgress).toHaveBeenCalledOnce()
    // A missing answer counts as declined.
    expect(await parked.resume(next, again!.requestState, {})).toEqual({
      answers: ['accept', 'decline'],
    })
  })

  it('resume only with a valid state, and only once', async () => {
    const parked = createParkedCalls()
    const { requestState } = await parked.start(client(), curious)
    expect(parked.resume(client(), 'of another server', {})).toBeUndefined()
    expect(parked.resume(client(), undefined, {})).toBeUndefined()
    const stranger = { ...client(), person: 'bob' }
    expect(parked.resume(stranger, requestState, {})).toBeUndefined()
    await parked.resume(client(), requestState, {})
    expect(parked.resume(client(), requestState, {})).toBeUndefined()
  })

  it('decline questions that the client cannot answer', async () => {
    const parked = createParkedCalls()
    const unable = { ...client(), capabilities: {} }
    expect(await parked.start(unable, curious)).toEqual({ answers: ['decline', 'decline'] })
  })

  it('are cancelled when the current request is, but not when an answered one is', async () => {
    const parked = createParkedCalls()
    const [first, second] = [new AbortController(), new AbortController()]
    let signal: RequestOptions['signal']
    const asked = await parked.start(client(first.signal), async (options) => {
      signal = options.signal
      await options.onServerRequest!('elicitation/create', question, never)
      return { cancelled: await vi.waitUntil(() => options.signal!.aborted, { timeout: 30_000 }) }
    })
    first.abort()
    expect(signal!.aborted).toBe(false)
    const ending = parked.resume(client(second.signal), asked.requestState, {})
    second.abort()
    expect(await ending).toEqual({ cancelled: true })
  })

  it('are cancelled when the client does not come back in time', async () => {
    const parked = createParkedCalls({ timeoutMs: 1 })
    let signal: RequestOptions['signal']
    let answer: JsonObject | undefined
    const asked = await parked.start(client(), async (options) => {
      signal = options.signal
      answer = await options.onServerRequest!('elicitation/create', question, never)
      return {}
    })
    await expect.poll(() => signal!.aborted).toBe(true)
    await expect.poll(() => answer).toEqual({ action: 'decline' })
    expect(parked.resume(client(), asked.requestState, {})).toBeUndefined()
  })

  it('of one person do not cancel those of another one', async () => {
    const parked = createParkedCalls({ capacity: 3 })
    const ask = (person: string) => parked.start({ ...client(), person }, curious)
    const first = await ask('ben')
    const states: JsonObject[] = []
    for (let call = 0; call < 5; call++) states.push(await ask('ann'))
    const resume = (person: string, { requestState }: JsonObject) =>
      parked.resume({ ...client(), person }, requestState, {})
    expect(await resume('ben', first)).toMatchObject({ resultType: 'input_required' })
    expect(resume('ann', states[0]!)).toBeUndefined()
    expect(await resume('ann', states[4]!)).toMatchObject({ resultType: 'input_required' })
  })
})
