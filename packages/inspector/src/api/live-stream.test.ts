import { describe, expect, it } from 'vitest'
import { ApiFailure } from './api-failure.ts'
import { backOff, openLiveStream } from './live-stream.ts'

const streamOf = (text: string) => new Response(text).body!

/** Opens what is given, one after another; then stays closed for good. */
function follow(openings: (() => ReadableStream<Uint8Array>)[]) {
  const told: unknown[] = []
  return new Promise<unknown[]>((resolve) => {
    const stop = openLiveStream({
      open: async () => {
        const next = openings.shift()
        if (next === undefined) throw new ApiFailure('token', 'enough')
        return next()
      },
      onEvent: (event) => told.push(event.kind),
      onConnection: (connection) => {
        told.push(connection)
        if (connection.kind === 'locked') resolve(told)
      },
      wait: async () => {},
      quietMs: 50,
    })
    void stop
  })
}

const unreachable = () => {
  throw new ApiFailure('unreachable', 'nobody there')
}

describe('openLiveStream', () => {
  it('gives what it hears, and comes back after each loss', async () => {
    const told = await follow([
      () => streamOf('data: {"kind":"saved"}\n\n'),
      unreachable,
      unreachable,
      () => streamOf('data: {"kind":"tools","version":1}\n\n'),
    ])
    expect(told).toEqual([
      { kind: 'connecting' },
      { kind: 'open' },
      'saved',
      { kind: 'waiting', milliseconds: 500 },
      { kind: 'waiting', milliseconds: 1000 },
      { kind: 'waiting', milliseconds: 2000 },
      { kind: 'open' },
      'tools',
      { kind: 'waiting', milliseconds: 500 },
      { kind: 'locked' },
    ])
  })

  it('takes who says nothing for gone', async () => {
    const told = await follow([() => new ReadableStream({})])
    expect(told).toContainEqual({ kind: 'waiting', milliseconds: 500 })
  })

  it('takes what cannot be read for a loss', async () => {
    const told = await follow([() => streamOf('data: {{\n\n')])
    expect(told).toContainEqual({ kind: 'waiting', milliseconds: 500 })
  })

  it('waits longer each time, but never above half a minute', () => {
    expect([0, 1, 2, 6, 40].map(backOff)).toEqual([500, 1000, 2000, 30_000, 30_000])
  })
})
