import type { ServerConfig } from '../config/gateway-config.ts'
import { createSecretMask, type SecretMask } from '../config/secret-mask.ts'
import { secretValues } from '../config/secret-values.ts'
import { type JsonObject, textOf } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import { paramHeaders } from '../protocol/param-headers.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import { type AnswerServerRequest, decline } from '../protocol/server-request.ts'
import { TASK_CHANGED } from '../protocol/task-extension.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import type { Era } from '../protocol/versions.ts'
import { version } from '../system/version.ts'
import type { AroundRequest } from './around-request.ts'
import { type Connection, createConnection } from './connection.ts'
import { hasSkills } from './list-skills.ts'
import { createListWatch, MAX_REFRESHES_PER_MINUTE } from './list-watch.ts'
import type { Manifest } from './manifest-cache.ts'
import { maskedError } from './masked-error.ts'
import { oncePerSecond } from './once-per-second.ts'
import type { TransportAuth } from './open-transport.ts'
import { createReconnector } from './reconnector.ts'
import { createResubscriptions } from './resubscriptions.ts'
import { createServerManifest } from './server-manifest.ts'
import type { StartQueue } from './start-queue.ts'
import type { Upstream } from './upstream.ts'

export interface UpstreamOptions {
  /** The manifest that an earlier run has cached. Ignored if the connection has changed since. */
  readonly manifest?: Manifest | undefined
  /** Called with the manifest to cache whenever it has changed. */
  readonly onManifest?: (manifest: Manifest) => void
  /** Called when the server has sent the manifest that is already cached. */
  readonly onConfirmed?: () => void
  /** `tools` if the tools, instructions or capabilities have changed, `status` otherwise. */
  readonly onChange?: (what: 'tools' | 'status') => void
  /** Receives notifications, such as log messages, that do not belong to a request. */
  readonly onNotification?: (method: string, params: JsonObject) => void
  /** Answers requests from the server that do not belong to a request of ours. @default declines them */
  readonly onServerRequest?: AnswerServerRequest
  /** The name and version that the gateway sends to servers. */
  readonly client?: { readonly name: string; readonly version: string }
  /** The client capabilities to announce: what `onServerRequest` can answer. @default {} */
  readonly clientCapabilities?: JsonObject
  /** Returns how to authorize requests. Called once, when the upstream is created. */
  readonly authFor?: (config: ServerConfig) => TransportAuth | undefined
  /** Surrounds each request that is not one of the gateway's own. @default nothing */
  readonly aroundRequest?: AroundRequest
  /** Secrets to mask in log output and errors, besides those of the server's own configuration. */
  readonly secrets?: readonly string[]
  /** How long to wait for a local server to answer `server/discover`. @default 2_000 */
  readonly discoverMs?: number
  /** Whose turn it is to start. @default the server starts immediately */
  readonly startQueue?: StartQueue
  readonly now?: () => number
  readonly random?: () => number
}

/** A list of skills is not read more often than this, whatever the server says. */
const MIN_TTL_MS = 30_000
/** The longest time that a timer can wait. */
const MAX_TTL_MS = 2 ** 31 - 1

const CHANGES_OFTEN = `It reports changed lists more than ${MAX_REFRESHES_PER_MINUTE} times a minute. Its tools can be out of date for up to a minute.`

/** Creates an upstream. The server starts on `connect` or on the first request. */
export function createUpstream(config: ServerConfig, options: UpstreamOptions = {}): Upstream {
  const { name } = config
  // one object, shared by all parts, so that `setLimits` affects them
  const limits = { ...config.limits }
  const {
    onChange = () => {},
    onServerRequest = decline,
    client = { name: 'toolsearch-gateway', version },
    clientCapabilities = {},
    now = Date.now,
    random = Math.random,
  } = options
  const mask = createSecretMask([...secretValues(config.connection), ...(options.secrets ?? [])])
  const auth = maskingAuth(options.authFor?.(config), mask)
  const manifest = createServerManifest(config, {
    cached: options.manifest,
    onManifest: options.onManifest,
    onConfirmed: options.onConfirmed,
    onChange: () => onChange('tools'),
    now,
  })
  const isCached = manifest.era !== undefined
  let skillsTimer: NodeJS.Timeout | undefined
  let readingSkills: Promise<void> = Promise.resolve()
  const reconnector = createReconnector(
    { ...config, limits },
    {
      start,
      era: () => manifest.era,
      onEstablished(session, connection) {
        manifest.update(session)
        // now, so that it happens before the first call
        resubscriptions.renew(connection)
      },
      async prepare(connection, withinMs) {
        await readTools(connection, withinMs)
        return manifest.list.warning
      },
      onStatus: () => onChange('status'),
      mask: mask.text,
      startQueue: options.startQueue,
      now,
      random,
    },
  )
  const watch = createListWatch({
    refresh,
    isCurrent: (connection) => reconnector.connection === connection && !reconnector.isClosed,
    now,
    random,
  })
  const announce = oncePerSecond()
  /** Why lists are incomplete. */
  const incomplete = new Map<string, string>()
  const resubscriptions = createResubscriptions({
    server: name,
    manifest,
    reconnector,
    request,
    limits,
    random,
  })

  function start(era: Era | undefined, onLost: (error: UpstreamError) => void): Connection {
    return createConnection({
      config,
      client,
      capabilities: clientCapabilities,
      ...(era && { era }),
      ...(options.discoverMs && { discoverMs: options.discoverMs }),
      ...(limits.messageBytes !== undefined && { maxMessageBytes: limits.messageBytes }),
      ...(auth && { auth }),
      maskLog: mask.text,
      onRequest(method, params, signal, call) {
        return (call?.onServerRequest ?? onServerRequest)(method, params, signal)
      },
      onNotification(method, params, call) {
        if (method === 'notifications/tools/list_changed') watch.scheduleRefresh()
        // The extension has no notification of its own, and the files of skills are resources.
        if (method === 'notifications/resources/list_changed' && hasSkills(manifest.capabilities)) {
          watch.scheduleRefresh()
        }
        if (method === 'notifications/tools/list_changed') return
        if (method === 'notifications/subscriptions/acknowledged') {
          call?.onNotification?.(method, params)
        } else if (method.startsWith(TASK_CHANGED)) {
          // It belongs to a stream that listens for the task, not to a call that happens to be in flight.
          if (call?.own) call.onNotification?.(method, params)
        } else {
          if (isForEveryone(method)) {
            // Each of them costs a message to every client.
            announce(`${method} ${textOf(params.uri)}`, () =>
              options.onNotification?.(method, params),
            )
            return
          }
          const notify = call?.onNotification ?? options.onNotification
          notify?.(method, method === 'notifications/message' ? mask.json(params) : params)
        }
      },
      onLost,
    })
  }

  async function readTools(connection: Connection, withinMs: number): Promise<void> {
    await manifest.readTools(connection, withinMs)
    // Their list must not delay the tools.
    readingSkills = readSkills(connection, withinMs)
    if (manifest.era === 'modern') watch.listen(connection, manifest.capabilities)
  }

  async function readSkills(connection: Connection, withinMs: number): Promise<void> {
    clearTimeout(skillsTimer)
    await manifest.readSkills(connection, withinMs)
    const { ttlMs } = manifest.skills
    if (ttlMs === undefined || reconnector.isClosed) return
    const isCurrent = () => reconnector.connection === connection
    const wait = Math.max(ttlMs, MIN_TTL_MS)
    if (wait > MAX_TTL_MS) return
    skillsTimer = setTimeout(() => {
      if (isCurrent()) void readSkills(connection, limits.callMs)
    }, wait).unref()
  }

  async function refresh(isLate: boolean): Promise<void> {
    await reconnector.connecting
    const { connection } = reconnector
    if (!connection || reconnector.state !== 'ready') return
    try {
      await readTools(connection, limits.callMs)
      reconnector.setState('ready', manifest.list.warning ?? (isLate ? CHANGES_OFTEN : undefined))
    } catch (error) {
      if (reconnector.connection !== connection) return
      const { message } = error as UpstreamError
      reconnector.setState('ready', `Its changed tools could not be read: ${message}`)
    }
  }

  function request(
    method: string,
    params: JsonObject,
    call: RequestOptions = {},
  ): Promise<JsonObject> {
    if (!options.aroundRequest || call.own) return sendRequest(method, params, call)
    return options.aroundRequest({ server: name, method, params }, (trace) => {
      if (!trace) return sendRequest(method, params, call)
      const meta = { ...(params._meta as JsonObject | undefined), ...trace }
      return sendRequest(method, { ...params, _meta: meta }, call, trace)
    })
  }

  async function sendRequest(
    method: string,
    params: JsonObject,
    call: RequestOptions,
    trace?: Readonly<Record<string, string>>,
  ): Promise<JsonObject> {
    const timeoutMs = call.timeoutMs ?? limits.callMs
    const mirrored =
      method === 'tools/call' && manifest.sendsHeaders
        ? paramHeaders(manifest.tool(params.name), params.arguments)
        : undefined
    const headers = trace ? { ...mirrored, ...trace } : mirrored
    const deadline = now() + timeoutMs
    const send = async () => {
      const { connection, state, connecting } = reconnector
      const target =
        connection && state === 'ready' && !connecting
          ? connection
          : await reconnector.established(call.signal, deadline - now())
      const remainingMs = Math.max(1, deadline - now())
      return target.request(method, params, {
        ...call,
        timeoutMs: remainingMs,
        ...(headers && { headers }),
      })
    }
    try {
      return await send()
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error
      if (error.code === 'needs-sign-in' && !error.requestOnly && !reconnector.connecting) {
        reconnector.drop()
        reconnector.setState('needs-sign-in', error.message)
      }
      const mayRetry =
        error.code === 'died' &&
        (error.undelivered || isSafeToRepeat(method, manifest.tool(params.name)))
      if (!mayRetry || reconnector.isClosed) throw maskedError(error, mask)
      return await send().catch((again) => {
        throw again instanceof UpstreamError ? maskedError(again, mask) : again
      })
    }
  }

  return {
    name,
    get status() {
      const { state, connection } = reconnector
      const [noted] = state === 'ready' ? incomplete.values() : []
      const detail = reconnector.detail ?? noted
      return {
        state,
        ...(detail !== undefined && { detail }),
        ...(!isCached && !reconnector.hasSettled && { isPending: true }),
        logOutput: connection?.logOutput ?? reconnector.logOutput,
        strayLines: connection?.strayLines ?? 0,
        ...(connection?.pid !== undefined && { pid: connection.pid }),
        ...(manifest.era && { era: manifest.era }),
        refused:
          manifest.skills.refused.length === 0
            ? manifest.list.refused
            : [...manifest.list.refused, ...manifest.skills.refused],
      }
    },
    get tools() {
      return manifest.list.tools
    },
    get skills() {
      return manifest.skills.skills
    },
    skillsRead: () => readingSkills,
    cachedAt: manifest.cachedAt,
    get instructions() {
      return manifest.instructions
    },
    get capabilities() {
      return manifest.capabilities
    },
    connect: reconnector.connect,
    request,
    watchResource: resubscriptions.watchResource,
    unwatchResource: resubscriptions.unwatchResource,
    setLogLevel: resubscriptions.setLogLevel,
    refreshTools: watch.refresh,
    noteList(key, warning) {
      if (incomplete.get(key) === warning) return
      if (warning === undefined) incomplete.delete(key)
      else incomplete.set(key, warning)
      onChange('status')
    },
    setLimits: (next) => void Object.assign(limits, next),
    async close() {
      watch.stop()
      clearTimeout(skillsTimer)
      await reconnector.close()
    },
  }
}

/** Masks every access token from the moment it is used. */
function maskingAuth(auth: TransportAuth | undefined, mask: SecretMask): TransportAuth | undefined {
  if (!auth) return undefined
  return {
    ...auth,
    async token() {
      const token = await auth.token()
      if (token) mask.add(token)
      return token
    },
  }
}

/** Whether a notification is for every client, even if it arrives during a call of one client. */
function isForEveryone(method: string): boolean {
  return method.endsWith('/list_changed') || method === 'notifications/resources/updated'
}

const READ_ONLY_METHODS = new Set([
  'skills/list',
  'skills/get',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
])

/** Whether a request can be sent again although the server may already have executed it. */
function isSafeToRepeat(method: string, tool: McpTool | undefined): boolean {
  if (READ_ONLY_METHODS.has(method)) return true
  if (method !== 'tools/call') return false
  const hints = tool?.annotations as
    | { readOnlyHint?: unknown; idempotentHint?: unknown }
    | undefined
  return hints?.readOnlyHint === true || hints?.idempotentHint === true
}
