import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server'
import { type Caller, callerOf } from '../../identity/caller.ts'
import type { Gateway } from '../../offering/gateway.ts'
import type { JsonObject } from '../../protocol/json-object.ts'
import { type BackgroundQueue, createBackgroundQueue } from '../../system/background-queue.ts'
import { createBoundedMap } from '../../system/bounded-map.ts'
import { followCaller } from '../follow-caller.ts'
import type { GatewayServerFactory } from '../mcp-server.ts'
import { watchNotifications } from '../upstream-notifications.ts'
import { createTaskEvents } from './task-events.ts'

/** The streams on which modern clients listen for changes (`subscriptions/listen`). */
export interface ListenStreams {
  open(request: Request, given: ListenRequest): Promise<Response>
  close(): Promise<void>
}

interface ListenRequest {
  readonly parsedBody: unknown
  readonly authInfo?: AuthInfo
}

type ListenHandler = ReturnType<typeof createMcpHandler>

/** Of all people. If there are more, the person who has the most loses the oldest, or gets no further one. */
const MAX_STREAMS = 1_024
/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1

/**
 * Each stream has a handler of its own, because the SDK sends the same changes to all streams of a
 * handler, and each caller may know of other changes.
 */
export function createListenStreams(
  factory: GatewayServerFactory,
  gateway: Pick<Gateway, 'view' | 'onViewsChanged'>,
): ListenStreams {
  const open = createBoundedMap<ListenHandler, string>(MAX_STREAMS, {
    ownerOf: (person) => person,
    onDropped: (_, handler) => void handler.close(),
  })
  const background = createBackgroundQueue()

  return {
    async open(request, given) {
      const { person, profile } = callerOf(given.authInfo)
      const caller = { person, ...(profile && { profile }) }
      const prepared = await factory.prepareListen(given.parsedBody, caller)
      if ('error' in prepared) return refusedListen(given.parsedBody, prepared.error)
      const { message, tasks } = prepared
      const taskEvents = tasks && createTaskEvents(message as JsonObject, tasks)
      // With none, the SDK refuses the stream.
      const maxSubscriptions = open.isFullFor(person.id) ? 0 : 1
      const handler = createMcpHandler(factory, { maxSubscriptions })
      const parsedBody = taskEvents?.parsedBody ?? message
      const response = await handler.fetch(request, { ...given, parsedBody })
      const { body } = response
      const isStream = /^text\/event-stream/.test(response.headers.get('content-type') ?? '')
      if (!isStream || !body) {
        prepared.stop()
        await handler.close()
        return response
      }
      open.set(handler, person.id)
      const stop = forwardChanges(handler, gateway, { caller, background })
      // Credentials are checked when a stream opens, so it ends when they do.
      const timer =
        person.expiresAt === undefined
          ? undefined
          : setTimeout(
              () => void handler.close(),
              Math.min(MAX_DELAY_MS, Math.max(0, person.expiresAt - Date.now())),
            ).unref()
      const ended = () => {
        open.delete(handler)
        clearTimeout(timer)
        prepared.stop()
        stop()
      }
      request.signal.addEventListener('abort', ended, { once: true })
      const events = taskEvents?.addTo(body) ?? body
      return new Response(events.pipeThrough(new TransformStream({ flush: ended })), response)
    },
    async close() {
      await Promise.all([...open.entries()].map(([handler]) => handler.close()))
    },
  }
}

function refusedListen(message: unknown, error: JsonObject): Response {
  const { id = null } = message as JsonObject
  return Response.json({ jsonrpc: '2.0', id, error }, { status: 400 })
}

/** Returns a function that stops it. */
function forwardChanges(
  { notify }: ListenHandler,
  gateway: Pick<Gateway, 'view' | 'onViewsChanged'>,
  { caller, background }: { readonly caller: Caller; readonly background: BackgroundQueue },
): () => void {
  const { stop } = followCaller(gateway, caller, {
    background,
    watch(view, isCurrent) {
      const stops = [
        view.onListChanged(() => {
          if (isCurrent()) notify.toolsChanged()
        }),
        watchNotifications(view.servers, (notification) => {
          if (!isCurrent()) return
          if (notification.kind === 'resources-changed') notify.resourcesChanged()
          if (notification.kind === 'prompts-changed') notify.promptsChanged()
          if (notification.kind === 'resource-updated') notify.resourceUpdated(notification.uri)
        }),
      ]
      return () => {
        for (const each of stops) each()
      }
    },
    onListChanged: notify.toolsChanged,
    onViewChanged() {
      notify.resourcesChanged()
      notify.promptsChanged()
    },
  })
  return stop
}
