import type { SharedState } from '../state/shared-state.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { fingerprint } from '../system/fingerprint.ts'

/** The servers that mentioned a URI to a person: what one person learns is not known to others. */
export interface LearntUris {
  get(person: string, uri: string): readonly string[]
  add(person: string, uri: string, server: string): void
  /** Asks what other replicas have learnt. Never rejects. */
  load(person: string, uri: string): Promise<void>
}

const MAX_LEARNT = 10_000
/** Of one URI. */
const MAX_SERVERS = 20
const KEPT_MS = 24 * 3_600_000

/** @param state shared with other replicas. What one of them drops is gone for all. @default none */
export function createLearntUris(state?: SharedState): LearntUris {
  const learnt = createBoundedMap<string, readonly string[]>(MAX_LEARNT, {
    ownerOf: (_, key) => personIn(key),
    onDropped: (_, key) => void state?.delete(sharedKeyOf(key)).catch(() => {}),
  })

  function get(person: string, uri: string): readonly string[] {
    return learnt.get(keyOf(person, uri)) ?? []
  }

  function keep(key: string, servers: readonly string[]): readonly string[] {
    const all = [...new Set([...(learnt.get(key) ?? []), ...servers])].slice(0, MAX_SERVERS)
    learnt.set(key, all)
    return all
  }

  return {
    get,
    add(person, uri, server) {
      if (get(person, uri).includes(server)) return
      const key = keyOf(person, uri)
      keep(key, [server])
      const addTo = (text: string | undefined) => JSON.stringify(keep(key, serversIn(text)))
      void state?.update(sharedKeyOf(key), addTo, KEPT_MS).catch(() => {})
    },
    async load(person, uri) {
      const key = keyOf(person, uri)
      const text = await state?.get(sharedKeyOf(key)).catch(() => undefined)
      if (text !== undefined) keep(key, serversIn(text))
    },
  }
}

function keyOf(person: string, uri: string): string {
  return `${person}\n${uri}`
}

function personIn(key: string): string {
  return key.slice(0, key.indexOf('\n'))
}

function serversIn(text: string | undefined): readonly string[] {
  return text === undefined ? [] : JSON.parse(text)
}

/** A hash, because a URI can be long, and a secret. */
function sharedKeyOf(key: string): string {
  return `uris:${fingerprint(key)}`
}
