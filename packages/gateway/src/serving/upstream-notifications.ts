import type { Server } from '@modelcontextprotocol/server'
import { wantsLog } from '../offering/log-levels.ts'
import type { UpstreamSet } from '../offering/upstream-set.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Era } from '../protocol/versions.ts'

/** An event of the servers that does not belong to a request. */
export type UpstreamNotification =
  | { readonly kind: 'resources-changed' | 'prompts-changed' }
  | { readonly kind: 'resource-updated'; readonly server: string; readonly uri: string }
  | { readonly kind: 'log'; readonly params: JsonObject }

/**
 * Runs the listener for each notification of a server, and when a list changes because a server was
 * added or removed. Returns a function that stops it.
 */
export function watchNotifications(
  servers: UpstreamSet,
  listener: (notification: UpstreamNotification) => void,
): () => void {
  const offered = () => [serversWith(servers, 'resources'), serversWith(servers, 'prompts')]
  let before = offered()
  const stops = [
    servers.subscribe(() => {
      const now = offered()
      const [hadResources, hadPrompts] = before
      const [hasResources, hasPrompts] = now
      before = now
      if (hasResources !== hadResources) listener({ kind: 'resources-changed' })
      if (hasPrompts !== hadPrompts) listener({ kind: 'prompts-changed' })
    }),
    servers.onNotification((server, method, params) => {
      if (method === 'notifications/resources/list_changed') listener({ kind: 'resources-changed' })
      if (method === 'notifications/prompts/list_changed') listener({ kind: 'prompts-changed' })
      if (method === 'notifications/resources/updated') {
        listener({ kind: 'resource-updated', server, uri: String(params.uri) })
      }
      if (method === 'notifications/message') listener({ kind: 'log', params })
    }),
  ]
  return () => {
    for (const stop of stops) stop()
  }
}

/** The names of the available servers with a capability, as one comparable text. */
function serversWith({ upstreams }: UpstreamSet, capability: string): string {
  const names = [...upstreams.values()]
    .filter(({ status, capabilities }) => {
      const isAvailable = status.state === 'ready' || status.state === 'idle'
      return isAvailable && capabilities[capability] !== undefined
    })
    .map(({ name }) => name)
  return JSON.stringify(names)
}

export interface ForwardNotificationsOptions {
  readonly era: Era
  /** Whether this connection has subscribed to a resource of a server. */
  readonly isSubscribed: (server: string, uri: string) => boolean
  /** Whether this is the only open connection. */
  readonly isOnlyConnection: () => boolean
  /** Whether the caller of the connection may still know these servers. */
  readonly isCurrent: () => boolean
}

/**
 * Forwards the servers' notifications to one connection. Returns a function that stops it.
 *
 * @param servers those that the caller of the connection may know
 */
export function forwardNotifications(
  server: Server,
  servers: UpstreamSet,
  { era, isSubscribed, isOnlyConnection, isCurrent }: ForwardNotificationsOptions,
): () => void {
  async function forward(notification: UpstreamNotification): Promise<void> {
    switch (notification.kind) {
      case 'resources-changed':
        return server.sendResourceListChanged()
      case 'prompts-changed':
        return server.sendPromptListChanged()
      case 'resource-updated': {
        const { server: from, uri } = notification
        // For modern clients the SDK filters by what each of them listens to.
        if (era === 'modern' || isSubscribed(from, uri)) return server.sendResourceUpdated({ uri })
        return
      }
      case 'log': {
        const { params } = notification
        // With several clients, the message could reveal to one what another is doing.
        if (era === 'modern' || !isOnlyConnection() || !wantsLog(server, params.level)) return
        return server.sendLoggingMessage(params as never, server.transport?.sessionId)
      }
    }
  }

  // Sending fails if the client was not offered the capability; then it needs no notification.
  return watchNotifications(servers, (notification) => {
    if (isCurrent()) forward(notification).catch(() => {})
  })
}
