import { CLIENT_INFO_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server'
import type { GatewayView } from '../offering/gateway-view.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { CLIENT_CAPABILITIES, declaresTasks, isTask } from '../protocol/task-extension.ts'
import type { Era } from '../protocol/versions.ts'
import type { CallTasks } from './call-tasks.ts'
import { carryContent, taskResult } from './carry-content.ts'
import { closeStreams } from './close-streams.ts'
import type { ConnectionList } from './connection-list.ts'
import { startDetachable } from './detached-call.ts'
import { forwardRequest } from './forward-request.ts'
import { markValid } from './gate-requests.ts'
import { pageOf } from './page-of.ts'
import type { ParkedCalls } from './parked-calls.ts'
import type { RunCall } from './run-call.ts'
import type { ShortcutCalls } from './shortcut/shortcut-calls.ts'
import type { CallerRequest } from './view-contents.ts'

export interface ServeToolsOptions {
  readonly era: Era
  readonly parked: ParkedCalls
  readonly list: ConnectionList
  /** A request with the caller and what they may use. */
  readonly requestOf: (context: ServerContext) => CallerRequest
  /** Resolves when the list of a view can be sent. */
  readonly listReady: (view: GatewayView) => Promise<void>
  readonly runCall: RunCall
  /** Calls that the shortcut has started and passed on to the SDK. */
  readonly shortcutCalls: ShortcutCalls
  /** What becomes of long calls, if the client knows tasks. */
  readonly callTasks: CallTasks
  /** After how many seconds. Undefined for never. */
  readonly taskSeconds: () => number | undefined
  /** How long the response stream of a call may stay open. Undefined for as long as the call takes. */
  readonly streamSeconds: () => number | undefined
}

/** Handles `tools/list` and `tools/call` on one connection. */
export function serveTools(
  server: Server,
  {
    era,
    parked,
    list,
    requestOf,
    listReady,
    runCall,
    shortcutCalls,
    callTasks,
    taskSeconds,
    streamSeconds,
  }: ServeToolsOptions,
): void {
  server.setRequestHandler('tools/list', async ({ params }, context) => {
    const { view } = requestOf(context)
    await Promise.all([listReady(view), view.ready()])
    const { items: tools, ...next } = pageOf(list.tools(view), params?.cursor)
    return { tools, ...next } as never
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    markValid(context)
    const { id, envelope } = context.mcpReq
    const started = shortcutCalls.takeOver(id)
    const clientInfo = (envelope as JsonObject | undefined)?.[CLIENT_INFO_META_KEY]
    const { caller, view } = requestOf(context)
    const sender = { caller, clientInfo }
    const request = { server, era, params: params as unknown as JsonObject }
    const forward = (round: ServerContext) =>
      forwardRequest({ ...request, context: round }, parked, (given, options) =>
        started ? started.continueWith(options) : runCall(given, options, sender),
      )
    const seconds = knowsTasks(context) ? taskSeconds() : undefined
    const stop = closeStreams(context, streamSeconds())
    try {
      const result =
        seconds === undefined
          ? await forward(context)
          : await callTasks.resultOf(startDetachable(context, forward), {
              caller,
              view,
              params: request.params,
              seconds,
            })
      return (isTask(result) ? taskResult(result) : carryContent(result)) as never
    } finally {
      stop()
    }
  })
}

function knowsTasks({ mcpReq: { envelope } }: ServerContext): boolean {
  return declaresTasks((envelope as JsonObject | undefined)?.[CLIENT_CAPABILITIES])
}
