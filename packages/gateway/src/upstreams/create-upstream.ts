import type { ServerConfig } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { paramHeaders } from '../protocol/param-headers.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { AnswerServerRequest } from '../protocol/server-request.ts'
import { decline } from '../protocol/server-request.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Era } from '../protocol/versions.ts'
import { type Connection, createConnection } from './connection.ts'
import { createListWatch } from './list-watch.ts'
import type { Manifest } from './manifest-cache.ts'
import { mayRepeat } from './may-repeat.ts'
import type { TransportAuth } from './open-transport.ts'
import { createReconnector } from './reconnector.ts'
import { createResubscriptions } from './resubscriptions.ts'
import { createServerManifest } from './server-manifest.ts'
import type { Upstream } from './upstream.ts'

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
  /** How a server is signed in to. Asked once, when the upstream is created. */
  readonly authFor?: (config: ServerConfig) => TransportAuth | undefined
  /** The longest message taken from a child. @default 64 MB */
  readonly maxMessageBytes?: number
  readonly now?: () => number
  readonly random?: () => number
}

/** A server to call. Nothing is started before `connect` or the first request. */
export function createUpstream(config: ServerConfig, options: UpstreamOptions = {}): Upstream {
  const { name } = config
  // one object for all who go by it: it is changed while they do
  const limits = { ...config.limits }
  const {
    manifest,
    onManifest,
    onChange = () => {},
    onServerRequest = decline,
    client = { name: 'toolsearch-gateway', version: '0.1.0' },
    clientCapabilities = {},
    now = Date.now,
    random = Math.random,
  } = options
  const auth = options.authFor?.(config)
  const known = createServerManifest(config, {
    manifest,
    onManifest,
    onChange: () => onChange('tools'),
    now,
  })
  const line = createReconnector(
    { ...config, limits },
    {
      start,
      era: () => known.era,
      onMet(session, met) {
        known.settle(session)
        // before the first call
        wishes.renew(met)
      },
      async prepare(met, withinMs) {
        await readList(met, withinMs)
        return known.list.trouble
      },
      onStatus: () => onChange('status'),
      now,
      random,
    },
  )
  const watch = createListWatch({
    refresh,
    isCurrent: (connection) => line.connection === connection && !line.isClosed,
    random,
  })

  const wishes = createResubscriptions({ server: name, known, line, request, limits, random })

  function start(spoken: Era | undefined, onLost: (error: UpstreamError) => void): Connection {
    return createConnection({
      config,
      client,
      capabilities: clientCapabilities,
      ...(spoken && { era: spoken }),
      ...(options.maxMessageBytes && { maxMessageBytes: options.maxMessageBytes }),
      ...(auth && { auth }),
      onRequest(method, params, signal, call) {
        return (call?.onServerRequest ?? onServerRequest)(method, params, signal)
      },
      onNotification(method, params, call) {
        if (method === 'notifications/tools/list_changed') watch.planRefresh()
        else if (method === 'notifications/subscriptions/acknowledged') {
          call?.onNotification?.(method, params)
        } else {
          const own = isNewsForAll(method) ? undefined : call?.onNotification
          const take = own ?? options.onNotification
          take?.(method, params)
        }
      },
      onLost,
    })
  }

  async function readList(from: Connection, withinMs: number): Promise<void> {
    await known.readTools(from, withinMs)
    if (known.era === 'modern') watch.listen(from, known.capabilities)
  }

  async function refresh(): Promise<void> {
    await line.connecting
    const from = line.connection
    if (!from || line.state !== 'ready') return
    try {
      await readList(from, limits.callMs)
      line.become('ready', known.list.trouble)
    } catch (error) {
      if (line.connection !== from) return
      line.become(
        'ready',
        `Its changed list could not be read: ${(error as UpstreamError).message}`,
      )
    }
  }

  async function request(
    method: string,
    params: JsonObject,
    call: RequestOptions = {},
  ): Promise<JsonObject> {
    const timeoutMs = call.timeoutMs ?? limits.callMs
    const headers =
      method === 'tools/call' && known.sendsHeaders
        ? paramHeaders(known.tool(params.name), params.arguments)
        : undefined
    const deadline = now() + timeoutMs
    const once = async () => {
      const { connection, state, connecting } = line
      const to =
        connection && state === 'ready' && !connecting
          ? connection
          : await line.connected(call.signal, Math.min(deadline - now(), limits.connectMs))
      const left = Math.max(1, deadline - now())
      return to.request(method, params, { ...call, timeoutMs: left, ...(headers && { headers }) })
    }
    try {
      return await once()
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (error.code === 'needs-sign-in' && !error.narrow && !line.connecting) {
        line.drop()
        line.become('needs-sign-in', error.message)
      }
      const again =
        error.code === 'died' && (error.unseen || mayRepeat(method, known.tool(params.name)))
      if (!again || line.isClosed) throw error
      return await once()
    }
  }

  return {
    name,
    get status() {
      const { state, detail, connection } = line
      return {
        state,
        ...(detail !== undefined && { detail }),
        lastWords: connection?.lastWords ?? line.lastWords,
        strayLines: connection?.strayLines ?? 0,
        ...(connection?.pid !== undefined && { pid: connection.pid }),
        ...(known.era && { era: known.era }),
        refused: known.list.refused,
      }
    },
    get tools() {
      return known.list.tools
    },
    get instructions() {
      return known.instructions
    },
    get capabilities() {
      return known.capabilities
    },
    connect: line.connect,
    request,
    watchResource: wishes.watchResource,
    unwatchResource: wishes.unwatchResource,
    setLogLevel: wishes.setLogLevel,
    setLimits: (next) => void Object.assign(limits, next),
    async close() {
      watch.stop()
      await line.close()
    },
  }
}

// whoever's call it came with
function isNewsForAll(method: string): boolean {
  return method.endsWith('/list_changed') || method === 'notifications/resources/updated'
}
