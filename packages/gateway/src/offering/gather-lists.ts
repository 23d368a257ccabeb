import type { JsonObject } from '../protocol/json-object.ts'
import { isObject } from '../protocol/json-object.ts'
import { listPages, type OnEntry } from '../protocol/list-pages.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** A kind of list that servers offer besides tools. */
export interface ListKind {
  /** The capability that a server with such a list declares. */
  readonly capability: string
  readonly method: string
  /** The field of a response that holds the entries. */
  readonly key: string
}

export interface GatheredEntry {
  readonly server: string
  readonly entry: JsonObject
}

/** More often, the answer to the latest request is used again: requests for lists are not limited otherwise. */
const MAX_READS_PER_SECOND = 10

interface Reads {
  second: number
  count: number
  latest: Promise<GatheredEntry[]>
}

const reads = new WeakMap<Upstream, Map<string, Reads>>()

// Clients request these lists when they start, so a slow server must not hold them up for long.
const TIMEOUT_MS = 5_000

/**
 * Reads one kind of list from every server, in the order of the configuration.
 *
 * Leaves out servers that fail, time out or have not declared their capabilities yet.
 */
export async function gatherLists(
  { upstreams }: Pick<UpstreamSet, 'upstreams'>,
  kind: ListKind,
): Promise<GatheredEntry[]> {
  const capable = [...upstreams.values()].filter(
    ({ capabilities }) => capabilities[kind.capability] !== undefined,
  )
  return (await Promise.all(capable.map((upstream) => readSometimes(upstream, kind)))).flat()
}

function readSometimes(upstream: Upstream, kind: ListKind): Promise<GatheredEntry[]> {
  const byKey = reads.get(upstream) ?? new Map<string, Reads>()
  reads.set(upstream, byKey)
  const before = byKey.get(kind.key)
  const second = Math.floor(performance.now() / 1_000)
  const count = before?.second === second ? before.count + 1 : 1
  if (before && count > MAX_READS_PER_SECOND) return before.latest
  const latest = readList(upstream, kind)
  byKey.set(kind.key, { second, count, latest })
  return latest
}

async function readList(upstream: Upstream, { method, key }: ListKind): Promise<GatheredEntry[]> {
  const entries: GatheredEntry[] = []
  const deadline = Date.now() + TIMEOUT_MS
  const requestPage = (params: JsonObject) =>
    upstream.request(method, params, { own: true, timeoutMs: Math.max(1, deadline - Date.now()) })
  const add: OnEntry = (entry, problem) => {
    if (isObject(entry) && !problem) entries.push({ server: upstream.name, entry })
  }
  try {
    const warning = await listPages(key, requestPage, add)
    upstream.noteList?.(key, warning)
  } catch {
    // The status shows why the server fails.
  }
  return entries
}
