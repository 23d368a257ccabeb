import { setTimeout as delay } from 'node:timers/promises'
import type { RedisClientType } from '@redis/client'
import { StateUnavailableError } from './state-unavailable-error.ts'

export type RedisClient = RedisClientType

/** A connection that is opened again whenever it is lost. */
export interface RedisConnection {
  /**
   * Runs a command. Rejects with `StateUnavailableError` if it fails or takes too long. Waits for a
   * connection only for a short time after it was lost, so that nothing piles up.
   */
  run<Result>(command: (client: RedisClient) => Promise<Result>): Promise<Result>
  /** Like `run`, but runs the command again if the connection was lost before the answer came. */
  repeat<Result>(command: (client: RedisClient) => Promise<Result>): Promise<Result>
  /** Resolves when the first attempt to connect has succeeded or failed. */
  readonly attempted: Promise<void>
  close(): Promise<void>
}

export interface RedisConnectionOptions {
  readonly url: string
  /** How long a command may take, and how long to wait for a lost connection. */
  readonly timeoutMs: number
  /** Runs on each new connection before it is used for anything else. */
  readonly onOpen?: (client: RedisClient) => Promise<void>
  /** Runs when the connection is lost or cannot be opened, and when it is back. */
  readonly onStatus?: (status: { readonly problem: string | undefined }) => void
}

/** A bound for commands that wait for an answer. */
const MAX_COMMANDS = 20_000
const MAX_BACK_OFF_MS = 1_000
/** Answers of a server that cannot serve us any more: another one may be at its address now. */
const WRONG_SERVER = /^(READONLY|MASTERDOWN|NOREPLICAS|UNBLOCKED)/

/**
 * Connects to Redis or Valkey. Each connection has a client of its own: the client's own way to connect
 * again leaves commands that were sent to a server that froze waiting forever.
 */
export async function createRedisConnection({
  url,
  timeoutMs,
  onOpen,
  onStatus,
}: RedisConnectionOptions): Promise<RedisConnection> {
  const redis = await import('@redis/client')
  const closing = new AbortController()
  let current: RedisClient | undefined
  let lostAt = performance.now()
  let problem = 'not connected yet'
  let wakeUp = () => {}
  let change = new Promise<void>((resolve) => {
    wakeUp = resolve
  })

  function setCurrent(client: RedisClient | undefined): void {
    if (current && !client) lostAt = performance.now()
    current = client
    const wake = wakeUp
    change = new Promise((resolve) => {
      wakeUp = resolve
    })
    wake()
  }

  async function connect(): Promise<{ client: RedisClient; ended: Promise<void> }> {
    const client = redis.createClient({
      url,
      disableOfflineQueue: true,
      commandsQueueMaxLength: MAX_COMMANDS,
      maintNotifications: 'disabled',
      socket: { reconnectStrategy: false, connectTimeout: timeoutMs },
    })
    const ended = new Promise<void>((resolve) => {
      client.on('error', (error) => {
        problem = reasonOf(error)
      })
      client.on('terminated', () => resolve())
      client.on('end', () => resolve())
    })
    try {
      await within(timeoutMs, client.connect())
      await within(timeoutMs, onOpen?.(client) ?? Promise.resolve())
      return { client, ended }
    } catch (error) {
      client.destroy()
      throw error
    }
  }

  async function stayConnected(onAttempt: () => void): Promise<void> {
    let failures = 0
    while (!closing.signal.aborted) {
      try {
        const { client, ended } = await connect()
        failures = 0
        if (closing.signal.aborted) return client.destroy()
        setCurrent(client)
        onStatus?.({ problem: undefined })
        onAttempt()
        await ended
        setCurrent(undefined)
      } catch (error) {
        problem = reasonOf(error)
        failures += 1
      }
      if (closing.signal.aborted) return
      onStatus?.({ problem })
      onAttempt()
      const backOff = Math.min(50 * 2 ** failures, MAX_BACK_OFF_MS) * (0.5 + Math.random() / 2)
      await delay(backOff, undefined, { signal: closing.signal }).catch(() => {})
    }
  }

  async function usable(): Promise<RedisClient> {
    for (;;) {
      if (current?.isReady) return current
      const remaining = lostAt + timeoutMs - performance.now()
      if (closing.signal.aborted || remaining <= 0) throw unavailable(problem)
      await within(remaining, change).catch(() => {})
    }
  }

  async function run<Result>(
    command: (client: RedisClient) => Promise<Result>,
    isRepeatable = false,
  ): Promise<Result> {
    const client = await usable()
    try {
      return await within(timeoutMs, command(client))
    } catch (error) {
      const reason = reasonOf(error)
      if (error instanceof TimeoutError || WRONG_SERVER.test(reason)) {
        problem = reason
        client.destroy()
      } else if (isRepeatable && !client.isReady) return run(command)
      throw unavailable(reason, error)
    }
  }

  const attempted = new Promise<void>((resolve) => void stayConnected(resolve))
  return {
    attempted,
    run: (command) => run(command),
    repeat: (command) => run(command, true),
    async close() {
      closing.abort()
      current?.destroy()
      setCurrent(undefined)
      problem = 'closed'
    },
  }
}

class TimeoutError extends Error {
  override readonly name = 'TimeoutError'
}

async function within<Result>(milliseconds: number, answer: Promise<Result>): Promise<Result> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      // One more turn: after a long computation in this process, the answer may be there unread.
      () => setImmediate(() => reject(new TimeoutError(`no answer within ${milliseconds} ms`))),
      milliseconds,
    )
  })
  try {
    return await Promise.race([answer, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function reasonOf(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: unknown[] }
  // `localhost` has several addresses, and each has an error.
  if (errors?.[0]) return reasonOf(errors[0])
  return code ?? message ?? String(error)
}

function unavailable(reason: string, cause?: unknown): StateUnavailableError {
  return new StateUnavailableError(`The shared state cannot be reached: ${reason}.`, { cause })
}
