import type { ServerConfig } from '../config/gateway-config.ts'
import type { CancelSignal } from '../protocol/cancellation.ts'
import type { Session } from '../protocol/negotiate.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Era } from '../protocol/versions.ts'
import { backOff } from './back-off.ts'
import type { Connection } from './connection.ts'
import { recentLog } from './recent-log.ts'
import type { StartQueue, StartTicket } from './start-queue.ts'
import { transportFailure } from './transport-failure.ts'
import type { ConnectOptions, UpstreamState } from './upstream.ts'
import { withTimeout } from './with-timeout.ts'

/** Keeps a connection to one server and reconnects whenever it breaks. */
export interface Reconnector {
  readonly state: UpstreamState
  /** The reason for the state, in a sentence for people. */
  readonly detail: string | undefined
  /** The current connection, whether or not its handshake is done. */
  readonly connection: Connection | undefined
  /** The current attempt to connect, if there is one. */
  readonly connecting: Promise<void> | undefined
  readonly isClosed: boolean
  /** The log output of the last process that failed. */
  readonly logOutput: readonly string[]
  setState(state: UpstreamState, detail?: string): void
  /** Whether an attempt to connect has ended, successfully or not. */
  readonly hasSettled: boolean
  /** Connects if necessary. Never rejects. */
  connect(options?: ConnectOptions): Promise<void>
  /** Connects if necessary and resolves after the handshake. Rejects with UpstreamError. */
  established(signal: CancelSignal | undefined, ms: number): Promise<Connection>
  /** Ends the current connection, if there is one, without reconnecting. */
  drop(): Connection | undefined
  /** Ends the connection permanently. Never rejects. */
  close(): Promise<void>
}

export interface ReconnectorOptions {
  readonly start: (era: Era | undefined, onLost: (error: UpstreamError) => void) => Connection
  /** The era that the server used last time, if known. */
  readonly era: () => Era | undefined
  readonly onEstablished: (session: Session, connection: Connection) => void
  /** Runs between the handshake and `ready`. May return a warning to show in the status. */
  readonly prepare: (connection: Connection, withinMs: number) => Promise<string | undefined>
  readonly onStatus: () => void
  /** Removes secrets from the detail of a state. */
  readonly mask: (text: string) => string
  readonly now: () => number
  readonly random: () => number
  /** Whose turn it is to start. @default every server starts immediately */
  readonly startQueue?: StartQueue | undefined
}

// calls to a server that is down start it again, but not more often than this
const RETRY_INTERVAL_MS = 1_000
// after a connection that lasted this long, the delays between attempts start from the beginning
const HEALTHY_MS = 10_000

export function createReconnector(
  { name, limits, connection: { kind } }: ServerConfig,
  options: ReconnectorOptions,
): Reconnector {
  const { start, era, onEstablished, prepare, onStatus, mask, now, random } = options
  let state: UpstreamState = 'idle'
  let detail: string | undefined
  let connection: Connection | undefined
  let connecting: Promise<void> | undefined
  let handshake: Promise<Connection> | undefined
  let establishedAt = 0
  let attempts = 0
  let attemptedAt = Number.NEGATIVE_INFINITY
  let hasSettled = false
  let ticket: StartTicket | undefined
  /** Whether somebody waits for the current attempt. */
  let isUrgent = false
  let retryTimer: NodeJS.Timeout | undefined
  let failedOutput: readonly string[] = []
  // dropped connections that `close` must wait for
  const closing = new Set<Promise<unknown>>()
  let closed = false

  function setState(next: UpstreamState, reason?: string): void {
    const why = reason === undefined ? undefined : mask(reason)
    if (state === next && detail === why) return
    state = next
    detail = why
    onStatus()
  }

  /** One attempt, from starting the server to reading its tools. */
  async function attempt(): Promise<void> {
    clearTimeout(retryTimer)
    setState('connecting')
    let deadline = 0
    try {
      handshake = (async () => {
        await myTurn()
        if (closed) throw new UpstreamError('closed', name, `${name} was closed.`)
        attemptedAt = now()
        deadline = attemptedAt + patience()
        return performHandshake(deadline)
      })()
      const established = await handshake
      const warning = await prepare(established, deadline - now())
      hasSettled = true
      setState('ready', warning)
    } catch (error) {
      const reason = transportFailure(name, error)
      const dropped = drop()
      hasSettled = true
      if (!closed) fail(reason, dropped?.logOutput)
    } finally {
      ticket?.end()
      ticket = undefined
      // clear both in the same step: `established` expects a handshake during an attempt
      handshake = undefined
      connecting = undefined
    }
  }

  /** Waits until the server may be started. */
  async function myTurn(): Promise<void> {
    // a remote server takes no time of our cores
    if (kind !== 'stdio') return
    ticket = options.startQueue?.enter()
    if (isUrgent) ticket?.hurry()
    await ticket?.turn
  }

  /** How long an attempt may take. The first one may have to download the server's package. */
  function patience(): number {
    const { connectMs, firstConnectMs = connectMs } = limits
    const isFirst = kind === 'stdio' && era() === undefined
    return isFirst ? Math.max(connectMs, firstConnectMs) : connectMs
  }

  async function performHandshake(deadline: number): Promise<Connection> {
    const first = begin(era())
    try {
      return await establish(first, deadline)
    } catch (error) {
      const { code } = transportFailure(name, error)
      // some legacy servers exit when the first request is not "initialize"
      const mayExitOnDiscover = era() === undefined && kind === 'stdio'
      if (closed || code !== 'died' || !mayExitOnDiscover) throw error
      await first.close()
      if (closed) throw error
      return await establish(begin('legacy'), deadline)
    }
  }

  function begin(knownEra: Era | undefined): Connection {
    const started: Connection = start(knownEra, (error) => {
      if (connection === started) lose(error)
    })
    connection = started
    return started
  }

  async function establish(started: Connection, deadline: number): Promise<Connection> {
    const session = await withTimeout(started.session, deadline - now(), () => {
      const message = `${name} did not answer within ${patience()} ms of its start. Increase its "connectMs" if it needs more time.`
      return new UpstreamError('timeout', name, message)
    })
    establishedAt = now()
    onEstablished(session, started)
    return started
  }

  function lose(error: UpstreamError): void {
    // `attempt` reports its own failure
    if (closed || connecting) return
    const dropped = drop()
    if (now() - establishedAt >= HEALTHY_MS) attempts = 0
    fail(error, dropped?.logOutput)
    // the server did start before, so the next call may reconnect immediately
    attemptedAt = Number.NEGATIVE_INFINITY
  }

  function drop(): Connection | undefined {
    const dropped = connection
    connection = undefined
    if (dropped) {
      const end: Promise<unknown> = dropped.close().finally(() => closing.delete(end))
      closing.add(end)
    }
    return dropped
  }

  function fail(error: UpstreamError, logOutput: readonly string[] = []): void {
    failedOutput = logOutput
    const lines = recentLog(logOutput)
    const why =
      lines.length === 0
        ? error.message
        : [error.message, 'Recent log output:', ...lines].join('\n')
    if (error.code === 'needs-sign-in') {
      setState('needs-sign-in', why)
      return
    }
    clearTimeout(retryTimer)
    retryTimer = setTimeout(() => void connect(), backOff(attempts++, random))
    // a pending retry must not keep the process alive
    retryTimer.unref()
    setState('failed', why)
  }

  function connect({ isUrgent: hurries = false }: ConnectOptions = {}): Promise<void> {
    if (closed || (connection && !connecting)) return Promise.resolve()
    isUrgent = connecting ? isUrgent || hurries : hurries
    connecting ??= attempt()
    if (hurries) ticket?.hurry()
    return connecting
  }

  function notStarted(cause: UpstreamError | undefined): UpstreamError {
    if (cause?.code === 'needs-sign-in') return cause
    const message = cause?.message ?? `${name} is still starting. Try again in a moment.`
    return new UpstreamError('not-started', name, message, {
      undelivered: true,
      ...(cause && { cause }),
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
    get hasSettled() {
      return hasSettled
    },
    get logOutput() {
      return failedOutput
    },
    setState,
    connect,
    async established(signal, ms) {
      const pauseMs = attemptedAt + RETRY_INTERVAL_MS - now()
      if (!closed && !connecting && state === 'failed' && pauseMs > 0) {
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
      if (closed) throw new UpstreamError('closed', name, `${name} is no longer in use.`)
      if (connection && !connecting) return connection
      void connect({ isUrgent: true })
      const established = handshake!.catch((error) => {
        throw notStarted(transportFailure(name, error))
      })
      const cancelledError = () =>
        new UpstreamError('cancelled', name, `The call to ${name} was cancelled.`)
      const cancellable = signal && { signal, cancelledError }
      return withTimeout(established, ms, () => notStarted(undefined), cancellable)
    },
    drop,
    async close() {
      closed = true
      clearTimeout(retryTimer)
      ticket?.end()
      drop()
      await connecting
      // the attempt may have opened another connection in the meantime
      drop()
      await Promise.all(closing)
      setState('idle')
    },
  }
}
