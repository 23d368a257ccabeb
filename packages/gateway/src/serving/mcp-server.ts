import {
  type AuthInfo,
  type McpRequestContext,
  type McpServerFactory,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { type Caller, callerOf, LOCAL_CALLER } from '../identity/caller.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { GatewayView } from '../offering/gateway-view.ts'
import { createLogLevels } from '../offering/log-levels.ts'
import { createSubscriptions } from '../offering/subscriptions.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import { declaresTasks, TASKS } from '../protocol/task-extension.ts'
import type { Era } from '../protocol/versions.ts'
import { SKILLS_EXTENSION } from '../skills/skill-entry.ts'
import type { ReplicaCalls } from '../state/replica-calls.ts'
import { createBackgroundQueue } from '../system/background-queue.ts'
import { hasSkills } from '../upstreams/list-skills.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { type CallTasks, createCallTasks } from './call-tasks.ts'
import { countCalls } from './calls-in-flight.ts'
import { createConnectionList } from './connection-list.ts'
import { memoryOf } from './connection-memory.ts'
import { createFindTarget } from './find-target.ts'
import { type FollowedCaller, followCaller } from './follow-caller.ts'
import { answerWhenSaved, followMemory } from './follow-memory.ts'
import { gateRequests } from './gate-requests.ts'
import { gatewayInstructions } from './instructions.ts'
import { isWaiting, listReady } from './list-ready.ts'
import { createParkedCalls } from './parked-calls.ts'
import { createPrepareListen, type PrepareListen } from './prepare-listen.ts'
import type { RequestGate } from './request-gate.ts'
import { clientOf, connectionId } from './requesting-client.ts'
import { createRunCall } from './run-call.ts'
import { serveCompletion, servePrompts } from './serve-prompts.ts'
import { serveResources } from './serve-resources.ts'
import { serveSkills } from './serve-skills.ts'
import { serveTasks, targetOfTask } from './serve-tasks.ts'
import { serveTools } from './serve-tools.ts'
import { createSharedParkedCalls } from './shared-parked-calls.ts'
import {
  createShortcutCalls,
  type Shortcut,
  type ShortcutCalls,
} from './shortcut/shortcut-calls.ts'
import { createWatchTasks } from './task-watch.ts'
import { forwardNotifications } from './upstream-notifications.ts'
import { createViewContents } from './view-contents.ts'
import { createWatchResources } from './watch-resources.ts'

/** Creates the MCP server of a connection, or of a single request in the modern protocol. */
export interface GatewayServerFactory extends McpServerFactory {
  (context: McpRequestContext): Server
  /** Answers plain calls without the SDK. Undefined while the setting `shortcut` is off. */
  shortcut(): Shortcut | undefined
  /** Calls that go on without a request. */
  readonly callTasks: Pick<CallTasks, 'running' | 'settled'>
  /** For the streams that the SDK opens itself, without a server. */
  readonly prepareListen: PrepareListen
  /** Surrounds requests that need no server, too. */
  readonly gate?: RequestGate | undefined
  /** Who sends requests that come without credentials, such as those over stdio. */
  readonly local: Caller
}

export interface McpServerOptions {
  /** The version of the gateway that clients see. */
  readonly version: string
  /** The profile of requests that name none, such as those over stdio. @default none */
  readonly profile?: string | undefined
  /** Surrounds every request of an agent; see `joinGates`. @default nothing does */
  readonly gate?: RequestGate | undefined
  /** The other replicas, if there can be some. */
  readonly replicas?: ReplicaCalls | undefined
}

const LIST_CACHE = { ttlMs: 60_000, cacheScope: 'private' } as const
const INCOMPLETE_LIST_CACHE = { ttlMs: 0, cacheScope: 'private' } as const

/** @param servers those that everybody shares */
export function mcpServer(
  gateway: Pick<Gateway, 'view' | 'onViewsChanged' | 'config'>,
  servers: UpstreamSet,
  { version, profile, gate, replicas }: McpServerOptions,
): GatewayServerFactory {
  const info = { name: 'toolsearch', title: 'toolsearch', version }
  const local: Caller = profile === undefined ? LOCAL_CALLER : { ...LOCAL_CALLER, profile }
  const parked = replicas ? createSharedParkedCalls(replicas) : createParkedCalls()
  const callTasks = createCallTasks(replicas)
  // 0 turns it off.
  const taskSeconds = () => gateway.config.taskSeconds || undefined
  const contents = createViewContents(replicas?.state)
  const subscriptions = createSubscriptions(servers)
  const logLevels = createLogLevels(servers)
  const connections = new Set<Server>()
  const background = createBackgroundQueue()
  const callsByServer = new WeakMap<Server, ShortcutCalls>()

  function callerIn(authInfo: AuthInfo | undefined): Caller {
    return authInfo ? callerOf(authInfo) : local
  }

  const findTarget = createFindTarget({
    viewOf(caller) {
      const view = gateway.view(caller)
      return { caller, view, ...contents.of(view) }
    },
    targetOfTask: (id, request) => targetOfTask(id, request, callTasks),
  })

  function create(
    { era, requestInfo, authInfo }: McpRequestContext,
    startedCalls?: ShortcutCalls,
  ): Server {
    const caller = callerIn(authInfo)
    const opening = gateway.view(caller)
    const upstreams = () => opening.servers.upstreams.values()
    const has = (capability: string) =>
      mayOffer(upstreams(), (has) => has[capability] !== undefined)
    const offersSkills = mayOffer(upstreams(), hasSkills)
    const [hasResources, hasPrompts] = [has('resources') || offersSkills, has('prompts')]
    const [hasCompletions, hasLogging] = [has('completions'), has('logging')]
    const hasTasks =
      era === 'modern' &&
      (taskSeconds() !== undefined || mayRunTasks(opening.servers.upstreams.values()))
    const instructions = gatewayInstructions(opening)
    const server = new Server(info, {
      capabilities: {
        tools: { listChanged: true },
        ...(hasResources && { resources: { listChanged: true, subscribe: true } }),
        ...(hasPrompts && { prompts: { listChanged: true } }),
        ...(hasCompletions && { completions: {} }),
        ...(hasLogging && { logging: {} }),
        ...((hasTasks || offersSkills) && {
          extensions: {
            ...(hasTasks && { [TASKS]: {} }),
            ...(offersSkills && { [SKILLS_EXTENSION]: { directoryRead: true } }),
          },
        }),
      },
      ...(instructions !== '' && { instructions }),
      cacheHints: {
        'tools/list': isWaiting(opening) ? INCOMPLETE_LIST_CACHE : LIST_CACHE,
      },
      debouncedNotificationMethods: [
        'notifications/tools/list_changed',
        'notifications/resources/list_changed',
        'notifications/prompts/list_changed',
      ],
    })
    const notifyListChanged = () => void server.sendToolListChanged().catch(() => {})
    const followed = requestInfo ? onlyRequest(caller) : followConnection(server, caller, era)
    const viewOf = (sender: Caller = followed.caller) => {
      const view = followed.follow(sender)
      return { caller: sender, view, ...contents.of(view) }
    }
    const requestOf = ({ http }: ServerContext) => viewOf(callerIn(http?.authInfo))
    const memory = memoryOf(server)
    const list = createConnectionList(followed, era, memory)
    const session = () => server.transport?.sessionId
    // Modern clients identify themselves with each request.
    const client = (clientInfo: unknown = server.getClientVersion(), sender = followed.caller) =>
      clientOf(clientInfo, sender, requestInfo ? undefined : connectionId(session()))
    const run = createRunCall({
      era,
      viewOf,
      client,
      session,
      gate,
      onFound: (found) => {
        if (list.add(found).length > 0) notifyListChanged()
      },
      onResult: contents.learn,
    })
    const runCall = countCalls(server, replicas ? answerWhenSaved(memory, run) : run)
    const shortcutCalls =
      startedCalls ?? createShortcutCalls(runCall, { era, connection: server, serverInfo: info })
    callsByServer.set(server, shortcutCalls)
    const listIsReady = async (view: GatewayView) => {
      await Promise.all([listReady(view), view.isDynamic && memory.refresh()])
    }
    serveTools(server, {
      era,
      parked,
      list,
      requestOf,
      listReady: listIsReady,
      runCall,
      shortcutCalls,
      callTasks,
      taskSeconds,
      streamSeconds: () => gateway.config.streamSeconds,
    })
    const stops = [followed.stop, shortcutCalls.close]
    if (hasResources) {
      stops.push(serveResources(server, { era, parked, subscriptions, requestOf }))
    }
    if (offersSkills) serveSkills(server, { era, requestOf })
    if (hasTasks) serveTasks(server, { requestOf, client, callTasks, onResult: contents.learn })
    if (hasPrompts) servePrompts(server, { era, parked, requestOf })
    if (hasCompletions) serveCompletion(server, requestOf)
    const setLevel = (level: string) =>
      logLevels.set(server, level, (name) => followed.view.servers.upstreams.has(name))
    if (hasLogging && era === 'legacy') {
      server.setRequestHandler('logging/setLevel', async ({ params }) => {
        setLevel(params.level)
        await memory.change((before) => ({ ...before, level: params.level }))
        return {}
      })
      stops.push(() => logLevels.forget(server))
    }
    if (gate) {
      const clientName = (clientInfo?: unknown) => client(clientInfo)?.name
      gateRequests(server, gate, { callerOf: callerIn, clientName, findTarget })
    }
    followMemory(memory, {
      onFound: notifyListChanged,
      onLevel: setLevel,
      async onSubscribed(uri) {
        const { resources, caller } = viewOf()
        const person = caller.person.id
        const upstream = await resources.find(uri, { person })
        if (upstream) await subscriptions.add({ connection: server, person }, upstream, uri)
      },
      onUnsubscribed: (uri) => subscriptions.remove(server, uri),
    })
    if (requestInfo === undefined) connections.add(server)
    server.onclose = () => {
      connections.delete(server)
      for (const stop of stops) stop()
    }
    return server
  }

  /** The server of a single request is too short-lived for notifications. */
  function onlyRequest(caller: Caller): FollowedCaller {
    const view = gateway.view(caller)
    // Asked anew for each call of a script, which can take longer than a right lasts.
    return { caller, view, follow: () => gateway.view(caller), stop: () => {} }
  }

  function followConnection(server: Server, caller: Caller, era: Era): FollowedCaller {
    const notifyListChanged = () => void server.sendToolListChanged().catch(() => {})
    return followCaller(gateway, caller, {
      background,
      watch(view: GatewayView, isCurrent) {
        const stops = [
          view.onListChanged(() => {
            if (isCurrent()) notifyListChanged()
          }),
          forwardNotifications(server, view.servers, {
            era,
            isCurrent,
            isSubscribed: (from, uri) => subscriptions.has(server, from, uri),
            // Other replicas may have further connections.
            isOnlyConnection: () => replicas === undefined && connections.size === 1,
          }),
        ]
        return () => {
          for (const stop of stops) stop()
        }
      },
      onListChanged: notifyListChanged,
      onViewChanged() {
        // Sending fails if the client was not offered the capability; then it needs no notification.
        void server.sendResourceListChanged().catch(() => {})
        void server.sendPromptListChanged().catch(() => {})
      },
    })
  }

  const shortcut: Shortcut = {
    callsOf: (server) => callsByServer.get(server)!,
    forRequest(caller) {
      const runCall = createRunCall({
        era: 'modern',
        viewOf: () => ({ caller, view: gateway.view(caller) }),
        client: clientOf,
        onResult: contents.learn,
        gate,
      })
      const calls = createShortcutCalls(runCall, {
        era: 'modern',
        connection: {},
        serverInfo: info,
      })
      return { calls, factory: (context) => create(context, calls) }
    },
  }

  return Object.assign((context: McpRequestContext) => create(context), {
    shortcut: () => (gateway.config.shortcut ? shortcut : undefined),
    callTasks,
    prepareListen: createPrepareListen(
      createWatchTasks({ viewOf: gateway.view, client: clientOf, onResult: contents.learn, gate }),
      createWatchResources({
        subscriptions,
        resourcesOf: (caller) => contents.of(gateway.view(caller)).resources,
        findTarget,
        gate,
      }),
    ),
    gate,
    local,
  })
}

/** Whether a server declares a capability, or has not declared its capabilities yet. */
function mayOffer(
  upstreams: Iterable<Upstream>,
  isDeclared: (capabilities: Upstream['capabilities']) => boolean,
): boolean {
  for (const { status, capabilities } of upstreams) {
    // The era is known from the first connection on, and so are the capabilities.
    if (status.era === undefined || isDeclared(capabilities)) return true
  }
  return false
}

/** Whether a server answers calls with tasks, or has not declared its capabilities yet. */
function mayRunTasks(upstreams: Iterable<Upstream>): boolean {
  for (const { status, capabilities } of upstreams) {
    if (status.era === undefined || declaresTasks(capabilities)) return true
  }
  return false
}
