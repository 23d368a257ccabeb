import type { Connection } from './connection.ts'
import type { Reconnector } from './reconnector.ts'
import { createResourceStream } from './resource-stream.ts'
import type { ServerManifest } from './server-manifest.ts'
import type { Upstream } from './upstream.ts'

/** What a server is to go on doing for us: every new connection is told of it again. */
export interface Resubscriptions
  extends Pick<Upstream, 'watchResource' | 'unwatchResource' | 'setLogLevel'> {
  /** Tells a new connection. What it refuses is let be. */
  renew(to: Connection): void
}

export interface ResubscriptionsOptions {
  readonly server: string
  readonly known: ServerManifest
  readonly line: Reconnector
  readonly request: Upstream['request']
  readonly limits: { readonly connectMs: number; readonly callMs: number }
  readonly random: () => number
}

export function createResubscriptions({
  server,
  known,
  line,
  request,
  limits,
  random,
}: ResubscriptionsOptions): Resubscriptions {
  const uris = new Set<string>()
  let level: string | undefined
  let met: Connection | undefined
  const stream = createResourceStream({
    server,
    wanted: () => [...uris],
    isCurrent: (connection) => line.connection === connection && !line.isClosed,
    patienceMs: () => limits.callMs,
    random,
  })

  function current(): Connection | undefined {
    return met === line.connection ? met : undefined
  }

  /** Asks for something without waiting: a server that refuses does without. */
  function tell(to: Connection, method: string, params: { [key: string]: string }): void {
    void to.request(method, params, { own: true, timeoutMs: limits.callMs }).catch(() => {})
  }

  function tellLevel(to: Connection): void {
    // in the newer era it goes with each request
    const isWanted = known.era === 'legacy' && known.capabilities.logging !== undefined
    if (isWanted && level !== undefined) tell(to, 'logging/setLevel', { level })
  }

  return {
    async watchResource(uri) {
      const to = await line.connected(undefined, limits.connectMs)
      if (known.era === 'legacy') {
        await request('resources/subscribe', { uri }, { own: true })
        uris.add(uri)
        return
      }
      uris.add(uri)
      try {
        await stream.listen(to)
      } catch (error) {
        uris.delete(uri)
        throw error
      }
    },
    async unwatchResource(uri) {
      const to = current()
      // a server that is not there watches nothing
      if (!uris.delete(uri) || !to) return
      if (known.era === 'modern') await stream.listen(to)
      else await request('resources/unsubscribe', { uri }, { own: true })
    },
    setLogLevel(next) {
      if (level === next) return
      level = next
      const to = current()
      if (to) tellLevel(to)
    },
    renew(to) {
      met = to
      tellLevel(to)
      if (uris.size === 0) return
      if (known.era === 'modern') void stream.listen(to).catch(() => {})
      else for (const uri of uris) tell(to, 'resources/subscribe', { uri })
    },
  }
}
