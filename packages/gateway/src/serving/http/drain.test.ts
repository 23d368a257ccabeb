import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createDrain } from './drain.ts'

function exchange(method = 'POST') {
  const headers: Record<string, unknown> = {}
  const response = Object.assign(new EventEmitter(), {
    setHeader: (name: string, value: unknown) => {
      headers[name] = value
    },
  })
  return {
    request: { method } as IncomingMessage,
    response: response as unknown as ServerResponse,
    end: () => response.emit('close'),
    headers,
  }
}

const LONG = { timeoutMs: 60_000 }

describe('createDrain', () => {
  it('ends at once if nothing runs', async () => {
    const drain = createDrain()
    expect(drain.isDraining).toBe(false)
    await drain.start(LONG)
    expect(drain.isDraining).toBe(true)
  })

  it('waits for requests, but not for streams', async () => {
    const drain = createDrain()
    const [call, stream] = [exchange(), exchange('GET')]
    drain.track(call.request, call.response)
    drain.track(stream.request, stream.response)
    expect(drain.running).toBe(1)
    let isDone = false
    const done = drain.start(LONG).then(() => {
      isDone = true
    })
    const late = exchange()
    drain.track(late.request, late.response)
    expect(late.headers).toEqual({ connection: 'close' })
    call.end()
    await new Promise(setImmediate)
    expect(isDone).toBe(false)
    late.end()
    await done
  })

  it('waits for what goes on without a request', async () => {
    const drain = createDrain()
    let settle = () => {}
    const work = new Promise<void>((resolve) => {
      settle = resolve
    })
    let isDone = false
    const done = drain.start(LONG, work).then(() => {
      isDone = true
    })
    await new Promise(setImmediate)
    expect(isDone).toBe(false)
    settle()
    await done
  })

  it('stops waiting after a while, or when told to', async () => {
    const drain = createDrain()
    const call = exchange()
    drain.track(call.request, call.response)
    await drain.start({ timeoutMs: 5 })
    const stop = new AbortController()
    const stopped = drain.start({ ...LONG, signal: stop.signal })
    stop.abort()
    await stopped
  })

  it('waits until a load balancer has noticed, if there is one', async () => {
    const drain = createDrain()
    drain.checked()
    let isDone = false
    const done = drain.start(LONG).then(() => {
      isDone = true
    })
    await new Promise(setImmediate)
    expect(isDone).toBe(false)
    drain.checked()
    await done
  })

  it('does not wait for somebody who checked long ago', async () => {
    let now = 0
    const drain = createDrain(() => now)
    drain.checked()
    now = 60_000
    await drain.start(LONG)
  })
})
