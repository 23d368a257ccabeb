import { afterEach, describe, expect, it, vi } from 'vitest'
import { createActivity } from './activity/create-activity.ts'
import { createLiveEvents } from './live-events.ts'

afterEach(() => {
  vi.useRealTimers()
})

function start(maxUnread = 1_000) {
  let asked = 0
  const live = createLiveEvents({
    activity: { subscribe: () => () => {}, session: () => undefined, running: () => [] },
    state: () => {
      asked += 1
      return { servers: [], version: 1 }
    },
    maxUnread,
  })
  return { live, asked: () => asked }
}

async function readAll(response: Response): Promise<string> {
  let text = ''
  try {
    for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) text += piece
  } catch (error) {
    text += `[${(error as Error).message}]`
  }
  return text
}

describe('createLiveEvents', () => {
  it('ends a stream when its request is aborted', async () => {
    const { live } = start()
    const request = new AbortController()
    const response = live.stream(request.signal)
    live.send({ kind: 'saved' })
    request.abort()
    live.send({ kind: 'saved' })
    const text = await readAll(response)
    expect(text.match(/"saved"/g)).toHaveLength(1)
    live.close()
  })

  it('disconnects a client that does not read, and drops its queue', async () => {
    const { live } = start()
    const response = live.stream(new AbortController().signal)
    for (let at = 0; at < 1_000; at++) live.send({ kind: 'saved' })
    const text = await readAll(response)
    expect(text).toContain('[The client does not read its events.]')
    expect(text.length).toBeLessThan(1_000)
    live.close()
  })

  it('survives a cancelled stream', async () => {
    const { live } = start()
    const response = live.stream(new AbortController().signal)
    await response.body!.cancel()
    live.send({ kind: 'saved' })
    live.close()
  })

  it('does not read the state while nobody listens', () => {
    vi.useFakeTimers()
    const { live, asked } = start()
    live.refresh()
    vi.advanceTimersByTime(60_000)
    expect(asked()).toBe(0)
    live.close()
  })

  it('ends all streams on close', async () => {
    const { live } = start()
    const response = live.stream(new AbortController().signal)
    live.close()
    expect(await readAll(response)).toContain('"servers"')
  })

  it('sends one session update for many calls, with the final state', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const activity = createActivity({ transport: 'http' })
    const state = () => ({ servers: [], version: 1 })
    const live = createLiveEvents({ activity, state, batchMs: 5 })
    const call = { tool: 'a__b', milliseconds: 1, size: 1, cost: { eager: 1, listed: 1 } }
    const response = live.stream(new AbortController().signal)
    for (let at = 0; at < 100; at++) activity.called({ id: 'one', name: 'test' }, call)
    vi.advanceTimersByTime(5)
    live.close()
    const text = await readAll(response)
    expect(text.match(/"kind":"activity"/g)).toHaveLength(100)
    expect(text.match(/"kind":"session"/g)).toHaveLength(1)
    expect(text).toContain('"calls":100')
  })
})
