import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followChanges } from './follow-changes.ts'
import type { McpClient } from './mcp-client.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function start(listen: () => Promise<string>) {
  const seen: string[] = []
  const client: McpClient = {
    listTools: async () => ({ tools: [] }),
    callTool: async () => ({}),
    getServerCapabilities: () => ({ tools: { listChanged: true } }),
    getProtocolEra: () => 'modern',
    async listen() {
      seen.push('listen')
      return { closed: listen(), close: async () => void seen.push('close') }
    },
  }
  const changes = followChanges(client, {
    onChange() {
      seen.push('change')
      void changes.subscribe()
    },
    onDisconnect: () => void seen.push('disconnect'),
    onSubscriptionError: (error) => void seen.push((error as Error).message),
  })
  return { client, changes, seen }
}

describe('a subscription to changes', () => {
  it('is opened again after the server dropped it, and the list is read again', async () => {
    const { changes, seen } = start(async () => 'remote')
    await changes.subscribe()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen).toEqual(['listen', 'change', 'listen'])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen, 'the next attempt waits longer').toHaveLength(3)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen).toHaveLength(5)
    changes.stop()
    await vi.advanceTimersByTimeAsync(100_000)
    expect(seen).toHaveLength(5)
  })

  it('is opened again soon after the server dropped one that lasted', async () => {
    let drop = (_cause: string) => {}
    const { changes, seen } = start(() => new Promise((resolve) => (drop = resolve)))
    await changes.subscribe()
    for (const listens of [2, 3, 4]) {
      await vi.advanceTimersByTimeAsync(100_000)
      drop('remote')
      await vi.advanceTimersByTimeAsync(1_000)
      expect(seen.filter((event) => event === 'listen')).toHaveLength(listens)
    }
    changes.stop()
  })

  it('is opened once', async () => {
    const { changes, seen } = start(() => new Promise(() => {}))
    await Promise.all([changes.subscribe(), changes.subscribe()])
    await changes.subscribe()
    changes.stop()
    expect(seen).toEqual(['listen', 'close'])
  })

  it.each(['graceful', 'local'])('stays closed after a %s end', async (cause) => {
    const { changes, seen } = start(async () => cause)
    await changes.subscribe()
    await vi.advanceTimersByTimeAsync(100_000)
    expect(seen).toEqual(['listen'])
  })

  it('stays closed after the connection was lost', async () => {
    const { changes, client, seen } = start(async () => 'remote')
    await changes.subscribe()
    client.onclose!()
    await vi.advanceTimersByTimeAsync(100_000)
    expect(seen).toEqual(['listen', 'disconnect'])
  })

  it('reports that it failed, and is tried again', async () => {
    const { changes, client, seen } = start(async () => 'local')
    const { listen } = client
    client.listen = () => Promise.reject(new Error('Too many'))
    await changes.subscribe()
    client.listen = listen!
    await vi.advanceTimersByTimeAsync(1_000)
    expect(seen).toEqual(['Too many', 'change', 'listen'])
  })

  it('is tried once per interval, and each interval is twice as long', async () => {
    const { changes, client, seen } = start(async () => 'local')
    client.listen = () => Promise.reject(new Error('Too many'))
    await changes.subscribe()
    for (const seconds of [1, 2, 4]) {
      seen.length = 0
      await vi.advanceTimersByTimeAsync(seconds * 1_000 - 1)
      expect(seen).toEqual([])
      await vi.advanceTimersByTimeAsync(1)
      expect(seen).toEqual(['change', 'Too many'])
    }
    changes.stop()
  })

  it('is not opened if the server does not report changes', async () => {
    const { changes, client, seen } = start(async () => 'local')
    client.getServerCapabilities = () => ({ tools: {} })
    await changes.subscribe()
    expect(seen).toEqual([])
  })
})
