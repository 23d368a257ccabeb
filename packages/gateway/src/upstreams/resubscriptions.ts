import type { Connection } from './connection.ts'
import type { Reconnector } from './reconnector.ts'
import { createResourceStream } from './resource-stream.ts'
import type { ServerManifest } from './server-manifest.ts'
import type { Upstream } from './upstream.ts'

/** The subscriptions and log level of one server, sent again on every new connection. */
export interface Resubscriptions
  extends Pick<Upstream, 'watchResource' | 'unwatchResource' | 'setLogLevel'> {
  /** Sends all of them to a new connection. Ignores errors from the server. */
  renew(connection: Connection): void
}

export interface ResubscriptionsOptions {
  readonly server: string
  readonly manifest: ServerManifest
  readonly reconnector: Reconnector
  readonly request: Upstream['request']
  readonly limits: { readonly connectMs: number; readonly callMs: number }
  readonly random: () => number
}

const LEVEL_PAUSE_MS = 1_000

export function createResubscriptions({
  server,
  manifest,
  reconnector,
  request,
  limits,
  random,
}: ResubscriptionsOptions): Resubscriptions {
  const uris = new Set<string>()
  let level: string | undefined
  let sentLevel: string | undefined
  let levelPause: NodeJS.Timeout | undefined
  let renewed: Connection | undefined
  const stream = createResourceStream({
    server,
    uris: () => [...uris],
    isCurrent: (connection) => reconnector.connection === connection && !reconnector.isClosed,
    timeoutMs: () => limits.callMs,
    random,
  })

  function current(): Connection | undefined {
    return renewed === reconnector.connection ? renewed : undefined
  }

  /** Sends a request and ignores its outcome. */
  function send(to: Connection, method: string, params: { [key: string]: string }): void {
    void to.request(method, params, { own: true, timeoutMs: limits.callMs }).catch(() => {})
  }

  function sendLevel(to: Connection): void {
    // modern clients send the level with each request
    const isSupported = manifest.era === 'legacy' && manifest.capabilities.logging !== undefined
    if (!isSupported || level === undefined) return
    sentLevel = level
    send(to, 'logging/setLevel', { level })
  }

  /** Sends the level now, or once the pause after the last one is over: rate limits do not apply to it. */
  function sendLevelInTime(): void {
    const connection = current()
    if (levelPause || !connection || level === sentLevel) return
    sendLevel(connection)
    levelPause = setTimeout(() => {
      levelPause = undefined
      sendLevelInTime()
    }, LEVEL_PAUSE_MS).unref()
  }

  return {
    async watchResource(uri) {
      const connection = await reconnector.established(undefined, limits.connectMs)
      if (manifest.era === 'legacy') {
        await request('resources/subscribe', { uri }, { own: true })
        uris.add(uri)
        return
      }
      uris.add(uri)
      try {
        await stream.listen(connection)
      } catch (error) {
        uris.delete(uri)
        throw error
      }
    },
    async unwatchResource(uri) {
      const connection = current()
      // without a connection there is nothing to unsubscribe from
      if (!uris.delete(uri) || !connection) return
      if (manifest.era === 'modern') await stream.listen(connection)
      else await request('resources/unsubscribe', { uri }, { own: true })
    },
    setLogLevel(next) {
      level = next
      sendLevelInTime()
    },
    renew(connection) {
      renewed = connection
      sendLevel(connection)
      if (uris.size === 0) return
      if (manifest.era === 'modern') void stream.listen(connection).catch(() => {})
      else for (const uri of uris) send(connection, 'resources/subscribe', { uri })
    },
  }
}
