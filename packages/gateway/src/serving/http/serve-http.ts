import { toNodeHandler } from '@modelcontextprotocol/node'
import {
  type AuthInfo,
  createMcpHandler,
  isInitializeRequest,
  type Server,
} from '@modelcontextprotocol/server'
import { type Caller, callerOf } from '../../identity/caller.ts'
import { profileIn } from '../../identity/profile-in.ts'
import { noteOf } from '../../identity/request-note.ts'
import type { Gateway } from '../../offering/gateway.ts'
import type { UpstreamSet } from '../../offering/upstream-set.ts'
import { isObject, textOf } from '../../protocol/json-object.ts'
import type { ReplicaCalls } from '../../state/replica-calls.ts'
import type { SharedState } from '../../state/shared-state.ts'
import { agentRequest } from '../agent-request.ts'
import type { GatewayServerFactory } from '../mcp-server.ts'
import { passGate } from '../pass-gate.ts'
import { createHttpShortcut } from '../shortcut/http-shortcut.ts'
import { createMessageCheck } from './check-message.ts'
import { createDrain, type DrainOptions } from './drain.ts'
import { gateResponse } from './gate-response.ts'
import {
  type GuardedServerOptions,
  guardedServer,
  type Serve,
  type UnrecordedRequest,
} from './guarded-server.ts'
import { DRAINING, healthOf } from './health.ts'
import { createLegacySessions } from './legacy-sessions.ts'
import { createListenStreams } from './listen-streams.ts'
import { readMessage } from './read-message.ts'
import { createStreamEvents } from './stream-events.ts'

export interface ServeHttpOptions extends GuardedServerOptions {
  readonly gateway: Pick<Gateway, 'view' | 'onViewsChanged' | 'admits'>
  /** For the health check. */
  readonly servers: Pick<UpstreamSet, 'upstreams'>
  /** Shared with other replicas. @default nothing is shared */
  readonly state?: SharedState
  /** Whether the records can be reached, if they are not in files. Must not reject. */
  readonly isStored?: (() => Promise<boolean>) | undefined
  /** The other replicas, if there can be some. */
  readonly replicas?: ReplicaCalls | undefined
}

export interface HttpService {
  readonly url: string
  /** The number of requests that are being answered, and of calls that go on without one. */
  readonly running: number
  /**
   * Prepares the end: `/readyz` reports it, no new sessions are opened, and streams of notifications are
   * closed. Resolves when the requests and calls in flight have been answered, or after `timeoutMs`. Call `close`
   * afterwards.
   */
  drain(options: DrainOptions): Promise<void>
  close(): Promise<void>
}

type NodeHandler = ReturnType<typeof toNodeHandler>
type NodeRequest = Parameters<NodeHandler>[0]
type Given = NonNullable<Parameters<ReturnType<typeof createMcpHandler>['fetch']>[1]>

const PATH = '/mcp'
const NO_SUCH_PROFILE = 'There is no such profile.'

/**
 * Serves a gateway over Streamable HTTP.
 *
 * @throws MissingTokenError if the host is not loopback and there is no token
 */
export async function serveHttp(
  factory: GatewayServerFactory,
  { gateway, servers, state, isStored, replicas, ...options }: ServeHttpOptions,
): Promise<HttpService> {
  const { maxBody = 4_000_000 } = options
  const missingStores = async () => {
    const [hasState, hasRecords] = await Promise.all([state?.isAvailable(), isStored?.()])
    return [...(hasState === false ? ['redis'] : []), ...(hasRecords === false ? ['postgres'] : [])]
  }
  const limits = { maxRequestBodySize: maxBody }
  const handler = createMcpHandler(factory, limits)
  const checkMessage = createMessageCheck(gateway)
  const streams = createListenStreams(factory, gateway)
  const shared = state && replicas && { state, replicas, cancelCall }
  const sessions = createLegacySessions(factory, {
    maxBody,
    shared,
    streams: createStreamEvents(state),
  })
  const drain = createDrain()
  const handleRequest = toNodeHandler({ fetch: route }, limits)
  const handleChecked = toNodeHandler({
    fetch: async (request, { parsedBody, authInfo } = {}) =>
      noted(await dispatch(request, parsedBody, authInfo), parsedBody, callerOf(authInfo)),
  })

  const serveAdmitted = createHttpShortcut(factory, {
    maxBody,
    checkMessage,
    findSession: sessions.find,
    handle: (request, response) => void handleRequest(request as NodeRequest, response),
    handleMessage({ request, response, body }, serverFactory) {
      const handle = serverFactory
        ? toNodeHandler(createMcpHandler(serverFactory, limits))
        : handleChecked
      void handle(request as NodeRequest, response, body)
    },
    respond({ request, response, body }, rejection) {
      const { auth } = request as NodeRequest
      const fetch = () => noted(rejection, body, callerOf(auth))
      // Not the body, which may be nested too deeply to be written again.
      void toNodeHandler({ fetch })(request as NodeRequest, response, {})
    },
  })

  function cancelCall(server: Server, id: unknown): boolean {
    return factory.shortcut()?.callsOf(server).cancel(id) ?? false
  }

  async function route(request: Request, { authInfo }: Given = {}): Promise<Response> {
    const caller = callerOf(authInfo)
    const { method, headers } = request
    if (method !== 'POST') {
      const session = headers.get('mcp-session-id')
      const given = authInfo && { authInfo }
      const answer = () =>
        session === null ? handler.fetch(request, given) : sessions.resume(session, request, given)
      // A GET opens or continues a stream of a session; what it brings was recorded before.
      return noted(
        method === 'GET'
          ? await answer()
          : await gateResponse(factory.gate, { method }, caller, answer),
        undefined,
        caller,
      )
    }
    const { body, rejection } = await readMessage(request, maxBody)
    const rejected = rejection ?? checkMessage(body, (name) => headers.get(name), caller)
    return noted(rejected ?? (await dispatch(request, body, authInfo)), body, caller)
  }

  /** Takes note of why a message is rejected, in case that no gate gets to see it. */
  async function noted(response: Response, message: unknown, caller: Caller): Promise<Response> {
    const note = noteOf(caller)
    if (response.ok || note.isRecorded) return response
    note.message = message
    const answer: unknown = await response
      .clone()
      .json()
      .catch(() => undefined)
    const { error } = isObject(answer) ? answer : {}
    if (isObject(error)) note.error = textOf(error.message)
    return response
  }

  /** Only the legacy protocol has sessions. Modern requests are independent of each other. */
  async function dispatch(
    request: Request,
    parsedBody: unknown,
    authInfo: AuthInfo | undefined,
  ): Promise<Response> {
    const given = { parsedBody, ...(authInfo && { authInfo }) }
    const session = request.headers.get('mcp-session-id')
    if (session !== null) return sessions.resume(session, request, given)
    const isListen = isListenRequest(parsedBody)
    if (drain.isDraining && (isListen || isInitializeRequest(parsedBody)))
      return endingSoon(parsedBody)
    if (isInitializeRequest(parsedBody)) return sessions.open(request, given)
    if (!isListen) return handler.fetch(request, given)
    const caller = callerOf(authInfo)
    return gateResponse(factory.gate, parsedBody, caller, () => streams.open(request, given))
  }

  const serveUnknown = toNodeHandler({
    fetch: async () => Response.json({ error: NO_SUCH_PROFILE }, { status: 404 }),
  })

  /** A profile that a person may not use is answered like one that does not exist. */
  const serve: Serve = (request, response) => {
    drain.track(request, response)
    const caller = callerOf(request.auth)
    if (gateway.admits(caller)) serveAdmitted(request, response)
    else {
      recordUnknown(request.headers['mcp-method'] ?? request.method, caller)
      void serveUnknown(request, response)
    }
  }

  function recordUnknown(method: unknown, caller: Caller): void {
    if (!factory.gate) return
    const target = { kind: 'meta', name: caller.profile ?? '' } as const
    void passGate(factory.gate, agentRequest({ method }, caller), async (report) => {
      report.decided(target, { isAllowed: false, reason: NO_SUCH_PROFILE })
      throw new Error(NO_SUCH_PROFILE)
    }).catch(() => {})
  }

  /** Whatever ends before a gate has seen it is recorded as rejected. */
  function recordRejected({ caller, headers, method, status }: UnrecordedRequest): void {
    // Messages without an answer, and streams that older clients open.
    const isAccepted = status !== undefined && status < 400
    if (!factory.gate || isAccepted) return
    const { message, error = endOf(status) } = noteOf(caller)
    const hasMethod = isObject(message) && typeof message.method === 'string'
    const sent = hasMethod ? message : { method: headers['mcp-method'] ?? method }
    const reject = () => Promise.reject(new Error(error))
    void passGate(factory.gate, agentRequest(sent, caller), reject).catch(() => {})
  }

  const server = await guardedServer(new Map([[PATH, serve]]), {
    health(path) {
      if (path === '/readyz') drain.checked()
      return path === '/readyz' && drain.isDraining
        ? DRAINING
        : healthOf(servers, path, missingStores)
    },
    // Unknown profiles are rejected after the credentials were checked: their names are not public.
    route(path) {
      const profile = profileIn(path)
      return profile === undefined ? undefined : { profile, serve }
    },
    ...options,
    onUnrecorded(unrecorded) {
      const { path } = unrecorded
      if (path === PATH || profileIn(path) !== undefined) recordRejected(unrecorded)
      else options.onUnrecorded?.(unrecorded)
    },
  })
  return {
    url: `${server.origin}${PATH}`,
    get running() {
      return drain.running + factory.callTasks.running
    },
    async drain(given) {
      const drained = drain.start(given, factory.callTasks.settled())
      // They would never end by themselves. Clients open them again, at another replica.
      await streams.close()
      await drained
    },
    async close() {
      await Promise.all([handler.close(), sessions.close(), streams.close()])
      await server.close()
    },
  }
}

/** How a request has ended, if its answer does not say more. */
function endOf(status: number | undefined): string {
  return status === undefined ? 'The client has closed the connection.' : `HTTP status ${status}.`
}

/** Tells a client to connect to another replica, or to this one after it has started again. */
function endingSoon(message: unknown): Response {
  const id = isObject(message) ? (message.id ?? null) : null
  const error = { code: -32_000, message: 'The gateway is about to stop. Connect again.' }
  return Response.json(
    { jsonrpc: '2.0', id, error },
    { status: 503, headers: { 'retry-after': '1' } },
  )
}

function isListenRequest(message: unknown): boolean {
  return isObject(message) && message.method === 'subscriptions/listen'
}
