import type { ServerConfig } from '../config/gateway-config.ts'
import type { CancelSignal } from '../protocol/cancellation.ts'
import type { Session } from '../protocol/negotiate.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Era } from '../protocol/versions.ts'
import { backOff } from './back-off.ts'
import type { Connection } from './connection.ts'
import { transportFailure } from './transport-failure.ts'
import type { UpstreamState } from './upstream.ts'
import { waitFor } from './wait-for.ts'

/** The connection to one server, made anew whenever it breaks. */
export interface Reconnector {
  readonly state: UpstreamState
  /** Why, in a sentence for a person. */
  readonly detail: string | undefined
  /** The connection there is, met or not. */
  readonly connection: Connection | undefined
  /** The attempt under way, if there is one. */
  readonly connecting: Promise<void> | undefined
  readonly isClosed: boolean
  /** The last lines of the process that failed last. */
  readonly lastWords: readonly string[]
  become(state: UpstreamState, why?: string): void
  /** Connects now unless it is connected. Never rejects. */
  connect(): Promise<void>
  /** A connection that has been met. Rejects with UpstreamError. */
  connected(signal: CancelSignal | undefined, ms: number): Promise<Connection>
  /** Ends the connection, if there is one, and makes no other. */
  drop(): Connection | undefined
  /** Ends all for good. Never rejects. */
  close(): Promise<void>
}

export interface ReconnectorOptions {
  readonly start: (era: Era | undefined, onLost: (error: UpstreamError) => void) => Connection
  /** What the server spoke the last time, if that is known. */
  readonly era: () => Era | undefined
  readonly onMet: (session: Session, connection: Connection) => void
  /** What belongs to an attempt once both sides have met. Gives what is wrong nonetheless. */
  readonly prepare: (connection: Connection, withinMs: number) => Promise<string | undefined>
  readonly onStatus: () => void
  readonly now: () => number
  readonly random: () => number
}

// a connection that lived this long was sound: what ended it is a new trouble
const SOUND_MS = 10_000

export function createReconnector(
  { name, limits, connection: { kind } }: ServerConfig,
  { start, era, onMet, prepare, onStatus, now, random }: ReconnectorOptions,
): Reconnector {
  let state: UpstreamState = 'idle'
  let detail: string | undefined
  let connection: Connection | undefined
  let connecting: Promise<void> | undefined
  let meeting: Promise<Connection> | undefined
  let metAt = 0
  let attempts = 0
  let failure: UpstreamError | undefined
  let retry: NodeJS.Timeout | undefined
  let words: readonly string[] = []
  // connections that nobody waits for, but whose processes must be gone when we are closed
  const ending = new Set<Promise<unknown>>()
  let closed = false

  function become(next: UpstreamState, why?: string): void {
    if (state === next && detail === why) return
    state = next
    detail = why
    onStatus()
  }

  /** One attempt, from nothing to a list of tools, within the limit. */
  async function attempt(): Promise<void> {
    clearTimeout(retry)
    become('connecting')
    const deadline = now() + limits.connectMs
    try {
      meeting = meet(deadline)
      const met = await meeting
      const trouble = await prepare(met, deadline - now())
      failure = undefined
      become('ready', trouble)
    } catch (error) {
      const reason = transportFailure(name, error)
      const ended = drop()
      if (!closed) fail(reason, ended?.lastWords)
    } finally {
      // in one step: a call that comes between would find an attempt without a meeting
      meeting = undefined
      connecting = undefined
    }
  }

  async function meet(deadline: number): Promise<Connection> {
    const first = begin(era())
    try {
      return await adopt(first, deadline)
    } catch (error) {
      const { code } = transportFailure(name, error)
      // some older servers end when asked anything before "initialize"
      const mayHaveBeenAsked = era() === undefined && kind === 'stdio'
      if (closed || code !== 'died' || !mayHaveBeenAsked) throw error
      await first.close()
      if (closed) throw error
      return await adopt(begin('legacy'), deadline)
    }
  }

  function begin(spoken: Era | undefined): Connection {
    const started: Connection = start(spoken, (error) => {
      if (connection === started) lose(error)
    })
    connection = started
    return started
  }

  async function adopt(started: Connection, deadline: number): Promise<Connection> {
    const session = await waitFor(started.met, deadline - now(), () => {
      const message = `${name} did not answer within ${limits.connectMs} ms of its start. Raise its "connectMs" if it needs longer.`
      return new UpstreamError('timeout', name, message)
    })
    metAt = now()
    onMet(session, started)
    return started
  }

  function lose(error: UpstreamError): void {
    // while connecting the attempt itself tells
    if (closed || connecting) return
    const ended = drop()
    if (now() - metAt >= SOUND_MS) attempts = 0
    fail(error, ended?.lastWords)
    // it was up: who calls now may start it at once
    failure = undefined
  }

  function drop(): Connection | undefined {
    const ended = connection
    connection = undefined
    if (ended) {
      const end: Promise<unknown> = ended.close().finally(() => ending.delete(end))
      ending.add(end)
    }
    return ended
  }

  function fail(error: UpstreamError, lastWords: readonly string[] = []): void {
    failure = error
    words = lastWords
    const said = lastWords.at(-1)
    const why = said === undefined ? error.message : `${error.message} Its last words: ${said}`
    if (error.code === 'needs-sign-in') {
      become('needs-sign-in', why)
      return
    }
    clearTimeout(retry)
    retry = setTimeout(() => void connect(), backOff(attempts++, random))
    // a program that has nothing else to do is not kept alive to try again
    retry.unref()
    become('failed', why)
  }

  function connect(): Promise<void> {
    if (closed || (connection && !connecting)) return Promise.resolve()
    connecting ??= attempt()
    return connecting
  }

  function notStarted(why: UpstreamError | undefined): UpstreamError {
    if (why?.code === 'needs-sign-in') return why
    const message = why?.message ?? `${name} is still starting. Try again in a moment.`
    return new UpstreamError('not-started', name, message, {
      unseen: true,
      ...(why && { cause: why }),
    })
  }

  return {
    get state() {
      return state
    },
    get detail() {
      return detail
    },
    get connection() {
      return connection
    },
    get connecting() {
      return connecting
    },
    get isClosed() {
      return closed
    },
    get lastWords() {
      return words
    },
    become,
    connect,
    async connected(signal, ms) {
      if (closed) throw new UpstreamError('closed', name, `${name} is not in use any more.`)
      if (connection && !connecting) return connection
      // while it is known to be down, a call need not wait to hear it
      if (!connecting && state === 'failed' && failure) throw notStarted(failure)
      void connect()
      const met = meeting!.catch((error) => {
        throw notStarted(transportFailure(name, error))
      })
      const cancelled = () =>
        new UpstreamError('cancelled', name, `The call to ${name} was cancelled.`)
      return waitFor(met, ms, () => notStarted(undefined), signal && { signal, cancelled })
    },
    drop,
    async close() {
      closed = true
      clearTimeout(retry)
      drop()
      await connecting
      // it may have come up meanwhile
      drop()
      await Promise.all(ending)
      become('idle')
    },
  }
}
