import type { Limits, ServerConfig } from '../config/gateway-config.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Era } from '../protocol/versions.ts'
import type { ConnectOptions, Upstream, UpstreamState } from '../upstreams/upstream.ts'
import type { Lease, LeasePool } from './lease-pool.ts'

/** One person's upstream for one server: closed while it is idle, and opened again on the next use. */
export interface PersonUpstream extends Upstream {
  /** Finds out what is known without a connection, and connects if the tools are not. Never rejects. */
  prepare(): Promise<void>
  /**
   * The account may have changed: checks that before the next request, and ends a connection with old
   * credentials at once. Never rejects.
   */
  check(): Promise<void>
}

/** A connection with the credentials of an account as it was when it was opened. */
export interface OpenedUpstream {
  readonly upstream: Upstream
  readonly generation: string | undefined
  /** Reads a token that another replica may have renewed. */
  reloadToken(): Promise<unknown>
}

/** What is known of a server without a connection. */
export interface Known
  extends Pick<Upstream, 'tools' | 'skills' | 'instructions' | 'capabilities'> {
  readonly era?: Era | undefined
  /** Of the account that it was read with. */
  readonly generation: string | undefined
}

export interface PersonUpstreamOptions {
  readonly config: ServerConfig
  readonly pool: LeasePool
  /** How long a connection stays open without a request. */
  readonly idleMs: number
  /**
   * Opens an upstream with the person's current credentials, without connecting.
   * @throws UpstreamError with `needs-sign-in` if there are none
   */
  readonly open: () => Promise<OpenedUpstream>
  /** The generation of the person's current account. Rejects if the store cannot be reached. */
  readonly currentGeneration: () => Promise<string | undefined>
  /** What an earlier connection with the person's current account found out. */
  readonly readKnown: () => Promise<Known | undefined>
  /** Forgets what is known, because the account was replaced. */
  readonly forgetKnown: () => Promise<void>
  /** The same list for everybody with an equal list. */
  readonly share: <Item extends object>(list: readonly Item[]) => readonly Item[]
  readonly onStatus: () => void
}

const NOTHING_KNOWN: Known = {
  tools: [],
  skills: [],
  instructions: undefined,
  capabilities: {},
  generation: undefined,
}

export function createPersonUpstream(options: PersonUpstreamOptions): PersonUpstream {
  const { config, pool, idleMs, onStatus } = options
  const { name } = config
  let opened: OpenedUpstream | undefined
  let opening: Promise<OpenedUpstream> | undefined
  let lease: Lease | undefined
  let known: Known = NOTHING_KNOWN
  /** Why there is no connection: the person must act, or something failed. */
  let problem: UpstreamError | undefined
  let hasPrepared = false
  let mustCheck = false
  let checking: Promise<void> | undefined
  let inFlight = 0
  let idleTimer: NodeJS.Timeout | undefined
  let limits: Limits | undefined
  let logLevel: string | undefined
  const watched = new Set<string>()
  const closing = new Set<Promise<unknown>>()
  let isClosed = false

  const source = () => opened?.upstream ?? known
  const sharedTools = sharing(() => source().tools, options.share)
  const sharedSkills = sharing(() => source().skills, options.share)

  function setProblem(error: unknown): UpstreamError {
    problem = error instanceof UpstreamError ? error : unavailable(error)
    onStatus()
    return problem
  }

  /** Ends the connection. What is known stays known. */
  function drop(): void {
    clearTimeout(idleTimer)
    const dropped = opened
    opened = undefined
    lease?.end()
    lease = undefined
    if (!dropped) return
    const { tools, skills, instructions, capabilities, status } = dropped.upstream
    const { generation } = dropped
    known = { tools, skills, instructions, capabilities, era: status.era, generation }
    const end: Promise<unknown> = dropped.upstream.close().finally(() => closing.delete(end))
    closing.add(end)
    onStatus()
  }

  async function open(): Promise<OpenedUpstream> {
    // the new process may need what the old one still holds, such as a file
    await Promise.all(closing)
    const own = pool.acquire({ isIdle: () => inFlight === 0 && watched.size === 0, end: drop })
    if (!own) {
      throw new UpstreamError(
        'not-started',
        name,
        `Too many people use servers with their own credentials at the moment, so ${name} was not started. Try again in a minute.`,
        { undelivered: true },
      )
    }
    lease = own
    try {
      const next = await options.open()
      if (isClosed) {
        await next.upstream.close()
        throw closedError()
      }
      if (limits) next.upstream.setLimits(limits)
      if (logLevel !== undefined) next.upstream.setLogLevel(logLevel)
      for (const uri of watched) void next.upstream.watchResource(uri).catch(() => {})
      opened = next
      problem = undefined
      return next
    } catch (error) {
      own.end()
      if (lease === own) lease = undefined
      throw error
    }
  }

  async function current(): Promise<OpenedUpstream> {
    if (isClosed) throw closedError()
    if (mustCheck || checking) {
      await verify().catch((error) => {
        throw unavailable(error)
      })
    }
    if (opened) return opened
    opening ??= open().finally(() => {
      opening = undefined
    })
    try {
      return await opening
    } catch (error) {
      throw setProblem(error)
    }
  }

  /** Ends a connection whose account was replaced. Rejects if the account cannot be read. */
  function verify(): Promise<void> {
    checking ??= (async () => {
      try {
        do {
          mustCheck = false
          await opening?.catch(() => {})
          const before = opened
          const generation = await options.currentGeneration()
          if (opened !== before) mustCheck = true
          else if ((before ?? known).generation !== generation) await replace()
          else await before?.reloadToken()
        } while (mustCheck && !isClosed)
      } catch (error) {
        mustCheck = true
        throw error
      } finally {
        checking = undefined
      }
    })()
    return checking
  }

  async function replace(): Promise<void> {
    drop()
    known = NOTHING_KNOWN
    problem = undefined
    await options.forgetKnown()
    onStatus()
  }

  /** Runs a task while the connection must stay open. */
  async function use<Result>(task: (upstream: Upstream) => Promise<Result>): Promise<Result> {
    inFlight++
    clearTimeout(idleTimer)
    try {
      const { upstream } = await current()
      lease?.touch()
      return await task(upstream)
    } finally {
      inFlight--
      scheduleIdle()
    }
  }

  function scheduleIdle(): void {
    clearTimeout(idleTimer)
    if (!opened || isClosed || inFlight > 0 || watched.size > 0) return
    idleTimer = setTimeout(drop, idleMs).unref()
  }

  function unavailable(cause: unknown): UpstreamError {
    const message = `Your account for ${name} cannot be checked at the moment. Try again later.`
    return new UpstreamError('not-started', name, message, { cause, undelivered: true })
  }

  function closedError(): UpstreamError {
    return new UpstreamError('closed', name, `${name} is no longer in use.`)
  }

  async function connect(connectOptions?: ConnectOptions): Promise<void> {
    await use((upstream) => upstream.connect(connectOptions)).catch(() => {})
  }

  return {
    name,
    get status() {
      if (opened) return opened.upstream.status
      const state: UpstreamState =
        problem?.code === 'needs-sign-in' ? 'needs-sign-in' : problem ? 'failed' : 'idle'
      return {
        state,
        ...(problem && { detail: problem.message }),
        ...(!hasPrepared && { isPending: true }),
        logOutput: [],
        strayLines: 0,
        ...(known.era && { era: known.era }),
        refused: [],
      }
    },
    get tools() {
      return sharedTools()
    },
    get skills() {
      return sharedSkills()
    },
    get instructions() {
      return source().instructions
    },
    get capabilities() {
      return source().capabilities
    },
    async prepare() {
      try {
        const found = await options.readKnown()
        if (found && !opened) known = found
        hasPrepared = true
        if (found) onStatus()
        else await connect()
      } catch {
        // without what was known, a connection finds out
        await connect()
      } finally {
        hasPrepared = true
        onStatus()
      }
    },
    async check() {
      mustCheck = true
      try {
        await verify()
        // somebody has just connected the account and waits for the tools
        if (!opened && known === NOTHING_KNOWN && !isClosed) await connect()
      } catch {
        // the next request checks again
      }
    },
    connect,
    request: (method, params, call) => use((upstream) => upstream.request(method, params, call)),
    watchResource: (uri) =>
      use(async (upstream) => {
        await upstream.watchResource(uri)
        watched.add(uri)
      }),
    async unwatchResource(uri) {
      watched.delete(uri)
      await opened?.upstream.unwatchResource(uri)
      scheduleIdle()
    },
    setLogLevel(level) {
      logLevel = level
      opened?.upstream.setLogLevel(level)
    },
    async refreshTools() {
      await opened?.upstream.refreshTools()
    },
    setLimits(next) {
      limits = next
      opened?.upstream.setLimits(next)
    },
    async close() {
      isClosed = true
      await opening?.catch(() => {})
      drop()
      await Promise.all(closing)
    },
  }
}

/** Returns a function for the current list, as everybody with an equal one has it. */
function sharing<Item extends object>(
  current: () => readonly Item[],
  share: (list: readonly Item[]) => readonly Item[],
): () => readonly Item[] {
  let last: { readonly from: readonly Item[]; readonly list: readonly Item[] } | undefined
  return () => {
    const from = current()
    // Sharing compares whole lists, and every request asks.
    if (last?.from !== from) last = { from, list: share(from) }
    return last.list
  }
}
