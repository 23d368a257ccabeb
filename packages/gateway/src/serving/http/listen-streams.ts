import {
  type AuthInfo,
  createMcpHandler,
  type McpServerFactory,
} from '@modelcontextprotocol/server'
import { type Caller, callerOf } from '../../identity/caller.ts'
import type { Gateway } from '../../offering/gateway.ts'
import { type BackgroundQueue, createBackgroundQueue } from '../../system/background-queue.ts'
import { followCaller } from '../follow-caller.ts'
import { watchNotifications } from '../upstream-notifications.ts'

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

/** As many as the SDK permits. */
const MAX_STREAMS = 1_024
/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1

/**
 * Each stream has a handler of its own, because the SDK sends the same changes to all streams of a
 * handler, and each caller may know of other changes.
 */
export function createListenStreams(
  factory: McpServerFactory,
  gateway: Pick<Gateway, 'view' | 'onViewsChanged'>,
): ListenStreams {
  const open = new Set<ListenHandler>()
  const background = createBackgroundQueue()

  return {
    async open(request, given) {
      const maxSubscriptions = open.size < MAX_STREAMS ? 1 : 0
      const handler = createMcpHandler(factory, { maxSubscriptions })
      const response = await handler.fetch(request, given)
      const { body } = response
      const isStream = /^text\/event-stream/.test(response.headers.get('content-type') ?? '')
      if (!isStream || !body) {
        await handler.close()
        return response
      }
      open.add(handler)
      const { person, profile } = callerOf(given.authInfo)
      const caller = { person, ...(profile && { profile }) }
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
        stop()
      }
      request.signal.addEventListener('abort', ended, { once: true })
      return new Response(body.pipeThrough(new TransformStream({ flush: ended })), response)
    },
    async close() {
      await Promise.all([...open].map((handler) => handler.close()))
    },
  }
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
