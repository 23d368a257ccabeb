import type { McpClient, McpSubscription } from './mcp-client.ts'

export interface ChangeHandlers {
  /**
   * The server's list of tools changed, or may have changed while we did not listen. Must call
   * `subscribe` before it reads the list.
   */
  onChange(): void
  onDisconnect(): void
  onSubscriptionError(error: unknown): void
}

export interface ChangeFollower {
  /** Asks a server that reports changes only to subscribers. Resolves once it listens or failed. */
  subscribe(): Promise<void>
  stop(): void
}

const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 60_000

/**
 * Calls the handlers until it is stopped. Keeps the handlers that the client already has: it calls
 * them too, and restores them at the end.
 */
export function followChanges(client: McpClient, handlers: ChangeHandlers): ChangeFollower {
  let isActive = true
  let isConnected = true
  let subscription: McpSubscription | undefined
  let opening: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let retryMs = FIRST_RETRY_MS
  const { fallbackNotificationHandler: notifyBefore, onclose: closeBefore } = client

  // Works with both SDKs, and leaves a handler that the user registered for this method in place.
  async function notify(notification: { readonly method: string }): Promise<void> {
    if (isActive && notification.method === 'notifications/tools/list_changed') handlers.onChange()
    await notifyBefore?.call(client, notification as never)
  }
  function close(): void {
    isConnected = false
    clearTimeout(timer)
    if (isActive) handlers.onDisconnect()
    closeBefore?.call(client)
  }
  client.fallbackNotificationHandler = notify
  client.onclose = close

  return {
    subscribe,
    stop() {
      isActive = false
      clearTimeout(timer)
      if (client.fallbackNotificationHandler === notify) {
        client.fallbackNotificationHandler = notifyBefore
      }
      if (client.onclose === close) client.onclose = closeBefore
      subscription?.close().catch(() => {})
    },
  }

  function subscribe(): Promise<void> {
    opening ??= open().finally(() => {
      opening = undefined
    })
    return opening
  }

  async function open(): Promise<void> {
    const reports = client.getServerCapabilities()?.tools?.listChanged === true
    // Before protocol version 2026-07-28, servers report changes without a subscription.
    const isNeeded = reports && client.getProtocolEra?.() === 'modern'
    if (!isNeeded || client.listen === undefined || subscription !== undefined) return
    try {
      subscription = await client.listen({ toolsListChanged: true })
    } catch (error) {
      if (!isActive) return
      handlers.onSubscriptionError(error)
      subscribeLater()
      return
    }
    isConnected = true
    const openedAt = Date.now()
    if (!isActive) void subscription.close().catch(() => {})
    void subscription.closed.then((ended) => {
      subscription = undefined
      // A server that drops every subscription at once is asked less and less often.
      if (Date.now() - openedAt >= retryMs) retryMs = FIRST_RETRY_MS
      // A server that shuts down, or our own stop(), ends it differently.
      if (ended === 'remote') subscribeLater()
    })
  }

  function subscribeLater(): void {
    if (!isActive || !isConnected) return
    clearTimeout(timer)
    timer = setTimeout(handlers.onChange, retryMs)
    // Node.js: waiting for changes must not keep the process alive.
    if (typeof timer === 'object') timer.unref?.()
    retryMs = Math.min(2 * retryMs, LAST_RETRY_MS)
  }
}
