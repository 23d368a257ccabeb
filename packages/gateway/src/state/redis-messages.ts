import { createSerialQueue } from '../system/serial-queue.ts'
import { createRedisConnection, type RedisClient } from './redis-connection.ts'

interface Listener {
  readonly onMessage: (message: string) => void
  readonly onGap: (() => void) | undefined
}

/** Subscriptions on a connection of their own, because answers of commands must not wait for messages. */
export interface RedisMessages {
  subscribe(
    channel: string,
    onMessage: (message: string) => void,
    onGap?: () => void,
  ): Promise<() => void>
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly attempted: Promise<void>
  close(): Promise<void>
}

export async function createRedisMessages({
  url,
  timeoutMs,
}: {
  readonly url: string
  readonly timeoutMs: number
}): Promise<RedisMessages> {
  const channels = new Map<string, Set<Listener>>()
  const queue = createSerialQueue()
  /** The channels that each client is subscribed to. */
  const subscribed = new WeakMap<RedisClient, Set<string>>()

  const connection = await createRedisConnection({
    url,
    timeoutMs,
    async onOpen(client) {
      await update(client)
      for (const { onGap } of [...channels.values()].flatMap((listeners) => [...listeners]))
        onGap?.()
    },
  })
  // Nothing else would notice that the connection is dead.
  const heartbeat = setInterval(
    () => void connection.run((client) => client.ping()).catch(() => {}),
    timeoutMs,
  ).unref()

  /** Subscribes a client to the channels that have listeners, and to no others. */
  function update(client: RedisClient): Promise<void> {
    return queue.run(async () => {
      const active = subscribed.get(client) ?? new Set()
      subscribed.set(client, active)
      const missing = [...channels.keys()].filter((channel) => !active.has(channel))
      if (missing.length > 0) await client.subscribe(missing, dispatch)
      for (const channel of missing) active.add(channel)
      const unused = [...active].filter((channel) => !channels.has(channel))
      if (unused.length > 0) await client.unsubscribe(unused)
      for (const channel of unused) active.delete(channel)
    })
  }

  function dispatch(message: string, channel: string): void {
    for (const { onMessage } of [...(channels.get(channel) ?? [])]) onMessage(message)
  }

  /** If this fails, the next connection subscribes to everything. */
  async function updateCurrent(): Promise<void> {
    await connection.run(update).catch(() => {})
  }

  return {
    attempted: connection.attempted,
    async subscribe(channel, onMessage, onGap) {
      const listener = { onMessage, onGap }
      const listeners = channels.get(channel) ?? new Set()
      channels.set(channel, listeners.add(listener))
      await updateCurrent()
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0 || channels.get(channel) !== listeners) return
        channels.delete(channel)
        void updateCurrent()
      }
    },
    async close() {
      clearInterval(heartbeat)
      await connection.close()
    },
  }
}
