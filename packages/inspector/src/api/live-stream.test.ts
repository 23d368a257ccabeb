import { describe, expect, it } from 'vitest'
import { ApiFailure } from './api-failure.ts'
import { openLiveStream } from './live-stream.ts'

const streamOf = (text: string) => new Response(text).body!

/** Connects to one stream after another. After the last, a token is required. */
function follow(openings: (() => ReadableStream<Uint8Array>)[], silenceMs = 60_000) {
  const log: unknown[] = []
  return new Promise<unknown[]>((resolve) => {
    const stop = openLiveStream({
      open: async () => {
        const next = openings.shift()
        if (next === undefined) throw new ApiFailure('token', 'token required')
        return next()
      },
      onEvent: (event) => log.push(event.kind),
      onConnection: (connection) => {
        log.push(connection)
        if (connection.kind === 'locked') resolve(log)
      },
      wait: async () => {},
      silenceMs,
    })
    void stop
  })
}

const unreachable = () => {
  throw new ApiFailure('unreachable', 'not responding')
}

describe('openLiveStream', () => {
  it('reports events, and reconnects after each loss', async () => {
    const log = await follow([
      () => streamOf('data: {"kind":"saved"}\n\n'),
      unreachable,
      unreachable,
      () => streamOf('data: {"kind":"tools","version":1}\n\n'),
    ])
    expect(log).toEqual([
      { kind: 'connecting' },
      { kind: 'open' },
      'saved',
      { kind: 'waiting', milliseconds: 500 },
      { kind: 'waiting', milliseconds: 1000 },
      { kind: 'waiting', milliseconds: 2000 },
      { kind: 'open' },
      'tools',
      { kind: 'waiting', milliseconds: 500 },
      { kind: 'locked', reason: expect.objectContaining({ code: 'token' }) },
    ])
  })

  it('treats a silent connection as lost', async () => {
    const log = await follow([() => new ReadableStream({})], 50)
    expect(log).toContainEqual({ kind: 'waiting', milliseconds: 500 })
  })

  it('treats an unreadable event as a loss', async () => {
    const log = await follow([() => streamOf('data: {{\n\n')])
    expect(log).toContainEqual({ kind: 'waiting', milliseconds: 500 })
  })

  it('waits longer after each loss, up to 30 seconds', async () => {
    const log = await follow(Array.from({ length: 41 }, () => unreachable))
    const waits = log.flatMap((entry) => (entry as { milliseconds?: number }).milliseconds ?? [])
    expect([0, 1, 2, 6, 40].map((loss) => waits[loss])).toEqual([500, 1000, 2000, 30_000, 30_000])
  })
})
