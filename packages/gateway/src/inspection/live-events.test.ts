import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createActivity } from './activity/create-activity.ts'
import { createLiveEvents } from './live-events.ts'

function start(maxUnread = 1_000) {
  let asked = 0
  const live = createLiveEvents({
    activity: { subscribe: () => () => {}, session: () => undefined },
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
  it('ends a stream with its request', async () => {
    const { live } = start()
    const request = new AbortController()
    const response = live.stream(request.signal)
    live.tell({ kind: 'saved' })
    request.abort()
    live.tell({ kind: 'saved' })
    const text = await readAll(response)
    expect(text.match(/"saved"/g)).toHaveLength(1)
    live.close()
  })

  it('sends away who does not read, and keeps nothing for it', async () => {
    const { live } = start()
    const response = live.stream(new AbortController().signal)
    for (let at = 0; at < 1_000; at++) live.tell({ kind: 'saved' })
    const text = await readAll(response)
    expect(text).toContain('[Nobody reads this.]')
    expect(text.length).toBeLessThan(1_000)
    live.close()
  })

  it('does not mind a stream that is no longer wanted', async () => {
    const { live } = start()
    const response = live.stream(new AbortController().signal)
    await response.body!.cancel()
    live.tell({ kind: 'saved' })
    live.close()
  })

  it('looks at nothing while nobody listens', async () => {
    const { live, asked } = start()
    live.look()
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(asked()).toBe(0)
    live.close()
  })

  it('ends all streams at the end', async () => {
    const { live } = start()
    const response = live.stream(new AbortController().signal)
    live.close()
    expect(await readAll(response)).toContain('"servers"')
  })

  it('tells of a session that many calls change once, as it is then', async () => {
    const activity = createActivity({ transport: 'http' })
    const state = () => ({ servers: [], version: 1 })
    const live = createLiveEvents({ activity, state, gatherMs: 5 })
    const done = { tool: 'a__b', milliseconds: 1, size: 1, cost: { eager: 1, listed: 1 } }
    const response = live.stream(new AbortController().signal)
    for (let at = 0; at < 100; at++) activity.called({ id: 'one', name: 'test' }, done)
    await wait(50)
    live.close()
    const text = await readAll(response)
    expect(text.match(/"kind":"activity"/g)).toHaveLength(100)
    expect(text.match(/"kind":"session"/g)).toHaveLength(1)
    expect(text).toContain('"calls":100')
  })
})
