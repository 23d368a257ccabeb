import type { ServerConfig } from '../config/gateway-config.ts'
import { backOff } from './back-off.ts'
import { type Connection, createConnection } from './connection.ts'
import { decline } from './decline.ts'
import { fingerprint } from './fingerprint.ts'
import { isSameJson } from './is-same-json.ts'
import { listTools, type ToolList } from './list-tools.ts'
import type { Manifest } from './manifest-cache.ts'
import { mayRepeat } from './may-repeat.ts'
import type { Session } from './negotiate.ts'
import { paramHeaders } from './param-headers.ts'
import { transportFailure } from './transport-failure.ts'
import type {
  AnswerServerRequest,
  Era,
  JsonObject,
  McpTool,
  RequestOptions,
  Upstream,
  UpstreamState,
} from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'
import { waitFor } from './wait-for.ts'
import { withoutBadHeaders } from './without-bad-headers.ts'

export interface UpstreamOptions {
  /** What is known of it from an earlier run. One of another connection is not used. */
  readonly manifest?: Manifest | undefined
  /** Gets what is to be remembered whenever that has changed. */
  readonly onManifest?: (manifest: Manifest) => void
  /** Something has changed: `tools` for its list, instructions or capabilities, `status` for the rest. */
  readonly onChange?: (what: 'tools' | 'status') => void
  /** Gets notifications, such as log messages, that belong to no request that takes them. */
  readonly onNotification?: (method: string, params: JsonObject) => void
  /** Answers what a server asks of us when no request takes it. @default it is declined */
  readonly onServerRequest?: AnswerServerRequest
  /** What we tell servers of ourselves. */
  readonly client?: { readonly name: string; readonly version: string }
  /** What we can do for servers: set it to what `onServerRequest` answers. @default nothing */
  readonly clientCapabilities?: JsonObject
  /** The longest message taken from a child. @default 64 MB */
  readonly maxMessageBytes?: number
  readonly now?: () => number
  readonly random?: () => number
}

// after the last of several changes in a row
const SETTLE_MS = 100
// a connection that lived this long was sound: what ended it is a new trouble
const SOUND_MS = 10_000

/** A server to call. Nothing is started before `connect` or the first request. */
export function createUpstream(config: ServerConfig, options: UpstreamOptions = {}): Upstream {
  const { name, limits } = config
  const {
    onChange = () => {},
    onServerRequest = decline,
    client = { name: 'toolsearch-gateway', version: '0.1.0' },
    clientCapabilities = {},
    now = Date.now,
    random = Math.random,
  } = options
  const mark = fingerprint(config.connection)
  const known = options.manifest?.fingerprint === mark ? options.manifest : undefined

  let state: UpstreamState = 'idle'
  let detail: string | undefined
  let era: Era | undefined = known?.era
  let instructions = known?.instructions
  let capabilities: JsonObject = known?.capabilities ?? {}
  let list: ToolList = { tools: known?.tools ?? [], refused: known?.refused ?? [] }
  let byName: Map<string, McpTool> | undefined

  let connection: Connection | undefined
  let connecting: Promise<void> | undefined
  let meeting: Promise<Connection> | undefined
  let metAt = 0
  let attempts = 0
  let failure: UpstreamError | undefined
  let retry: NodeJS.Timeout | undefined
  let refresh: NodeJS.Timeout | undefined
  let refreshing: Promise<void> | undefined
  let words: readonly string[] = []
  // connections that nobody waits for, but whose processes must be gone when we are closed
  const ending = new Set<Promise<unknown>>()
  let closed = false

  function become(next: UpstreamState, why?: string): void {
    if (state === next && detail === why) return
    state = next
    detail = why
    onChange('status')
  }

  /** One attempt, from nothing to a list of tools, within the limit. */
  async function attempt(): Promise<void> {
    clearTimeout(retry)
    become('connecting')
    const deadline = now() + limits.connectMs
    try {
      meeting = meet(deadline)
      const met = await meeting
      await readList(met, deadline - now())
      failure = undefined
      become('ready', list.trouble)
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
    const first = start(era)
    try {
      return await adopt(first, deadline)
    } catch (error) {
      const { code } = transportFailure(name, error)
      // some older servers end when asked anything before "initialize"
      const mayHaveBeenAsked = era === undefined && config.connection.kind === 'stdio'
      if (closed || code !== 'died' || !mayHaveBeenAsked) throw error
      await first.close()
      if (closed) throw error
      return await adopt(start('legacy'), deadline)
    }
  }

  function start(spoken: Era | undefined): Connection {
    const started: Connection = createConnection({
      config,
      client,
      capabilities: clientCapabilities,
      ...(spoken && { era: spoken }),
      ...(options.maxMessageBytes && { maxMessageBytes: options.maxMessageBytes }),
      onRequest(method, params, signal, call) {
        return (call?.onServerRequest ?? onServerRequest)(method, params, signal)
      },
      onNotification(method, params, call) {
        if (method === 'notifications/tools/list_changed') planRefresh()
        else if (method !== 'notifications/subscriptions/acknowledged') {
          const own = isNewsForAll(method) ? undefined : call?.onNotification
          const take = own ?? options.onNotification
          take?.(method, params)
        }
      },
      onLost(error) {
        if (connection === started) lose(error)
      },
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
    settle(session)
    return started
  }

  function settle(session: Session): void {
    const changed =
      instructions !== session.instructions || !isSameJson(capabilities, session.capabilities)
    era = session.era
    instructions = session.instructions
    capabilities = session.capabilities
    if (changed) onChange('tools')
  }

  async function readList(from: Connection, withinMs: number): Promise<void> {
    const deadline = now() + withinMs
    let next: ToolList = { tools: [], refused: [] }
    if (capabilities.tools !== undefined) {
      const whole = await listTools((params) => {
        const timeoutMs = Math.max(1, deadline - now())
        return from.request('tools/list', params, { own: true, timeoutMs })
      })
      next = sendsHeaders() ? withoutBadHeaders(whole) : whole
    }
    if (era === 'modern') listen(from)
    const changed = !isSameJson(list, next)
    list = next
    byName = undefined
    if (changed) onChange('tools')
    options.onManifest?.({
      fingerprint: mark,
      era: era!,
      tools: list.tools,
      refused: list.refused,
      capabilities,
      ...(instructions !== undefined && { instructions }),
    })
  }

  // servers of the newer era tell of changes only to who listens
  const listening = new WeakSet<Connection>()
  function listen(to: Connection): void {
    const kinds = ['tools', 'resources', 'prompts'].filter(
      (kind) => (capabilities[kind] as { listChanged?: unknown } | undefined)?.listChanged === true,
    )
    if (kinds.length === 0 || listening.has(to)) return
    listening.add(to)
    const again = () => {
      listening.delete(to)
      if (connection !== to || closed) return
      // changes may have been missed
      setTimeout(planRefresh, backOff(2, random)).unref()
    }
    const wanted = kinds.map((kind) => [`${kind}ListChanged`, true] as const)
    const filter = { notifications: Object.fromEntries(wanted) }
    to.request('subscriptions/listen', filter, { own: true }).then(
      again,
      (error: UpstreamError) => {
        if (error.code !== 'refused') again()
      },
    )
  }

  function planRefresh(): void {
    clearTimeout(refresh)
    refresh = setTimeout(async () => {
      // a change told while the list is read may not be in it
      await connecting
      await refreshing
      const from = connection
      if (!from || state !== 'ready') return
      refreshing = readList(from, limits.callMs).then(
        () => become('ready', list.trouble),
        (error) => {
          if (connection === from)
            become('ready', `Its changed list could not be read: ${error.message}`)
        },
      )
    }, SETTLE_MS)
    refresh.unref()
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
    retry = setTimeout(() => void upstream.connect(), backOff(attempts++, random))
    // a program that has nothing else to do is not kept alive to try again
    retry.unref()
    become('failed', why)
  }

  async function connected(signal: AbortSignal | undefined, ms: number): Promise<Connection> {
    if (closed) throw new UpstreamError('closed', name, `${name} is not in use any more.`)
    if (connection && !connecting) return connection
    // while it is known to be down, a call need not wait to hear it
    if (!connecting && state === 'failed' && failure) throw notStarted(failure)
    void upstream.connect()
    const met = meeting!.catch((error) => {
      throw notStarted(transportFailure(name, error))
    })
    const cancelled = () =>
      new UpstreamError('cancelled', name, `The call to ${name} was cancelled.`)
    return waitFor(met, ms, () => notStarted(undefined), signal && { signal, cancelled })
  }

  function notStarted(why: UpstreamError | undefined): UpstreamError {
    if (why?.code === 'needs-sign-in') return why
    const message = why?.message ?? `${name} is still starting. Try again in a moment.`
    return new UpstreamError('not-started', name, message, {
      unseen: true,
      ...(why && { cause: why }),
    })
  }

  function sendsHeaders(): boolean {
    return era === 'modern' && config.connection.kind === 'http'
  }

  function tool(params: JsonObject): McpTool | undefined {
    byName ??= new Map(list.tools.map((each) => [each.name, each]))
    return byName.get(params.name as string)
  }

  async function request(
    method: string,
    params: JsonObject,
    call: RequestOptions = {},
  ): Promise<JsonObject> {
    const timeoutMs = call.timeoutMs ?? limits.callMs
    const headers =
      method === 'tools/call' && sendsHeaders()
        ? paramHeaders(tool(params), params.arguments)
        : undefined
    const deadline = now() + timeoutMs
    const once = async () => {
      const to =
        connection && state === 'ready' && !connecting
          ? connection
          : await connected(call.signal, Math.min(deadline - now(), limits.connectMs))
      const left = Math.max(1, deadline - now())
      return to.request(method, params, { ...call, timeoutMs: left, ...(headers && { headers }) })
    }
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (error.code === 'needs-sign-in' && !connecting) {
        drop()
        become('needs-sign-in', error.message)
      }
      const again = error.code === 'died' && (error.unseen || mayRepeat(method, tool(params)))
      if (!again || closed) throw error
      return await once()
    }
  }

  const upstream: Upstream = {
    name,
    get status() {
      return {
        state,
        ...(detail !== undefined && { detail }),
        lastWords: connection?.lastWords ?? words,
        strayLines: connection?.strayLines ?? 0,
        ...(connection?.pid !== undefined && { pid: connection.pid }),
        ...(era && { era }),
        refused: list.refused,
      }
    },
    get tools() {
      return list.tools
    },
    get instructions() {
      return instructions
    },
    get capabilities() {
      return capabilities
    },
    connect() {
      if (closed || (connection && !connecting)) return Promise.resolve()
      connecting ??= attempt()
      return connecting
    },
    request,
    async close() {
      closed = true
      clearTimeout(retry)
      clearTimeout(refresh)
      drop()
      await connecting
      // it may have come up meanwhile
      drop()
      await Promise.all(ending)
      become('idle')
    },
  }
  return upstream
}

// whoever's call it came with
function isNewsForAll(method: string): boolean {
  return method.endsWith('/list_changed') || method === 'notifications/resources/updated'
}
