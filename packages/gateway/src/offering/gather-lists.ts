import { isTooDeep } from '../protocol/is-too-deep.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { isObject } from '../protocol/json-object.ts'
import { listPages } from '../protocol/list-pages.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** One kind of list that servers have beside tools. */
export interface ListKind {
  /** What a server that has it declares. */
  readonly capability: string
  readonly method: string
  /** Where the entries are in an answer. */
  readonly key: string
}

export interface Gathered {
  readonly server: string
  readonly entry: JsonObject
}

// a list is asked for when a client starts: one slow server must not hold it up for long
const EACH_MS = 5_000

/**
 * What all servers have in one kind of list, in the order of the configuration.
 *
 * A server that fails or is too slow is left out, and so is one that has not said yet what it can do.
 */
export async function gatherLists(
  { upstreams }: Pick<UpstreamSet, 'upstreams'>,
  kind: ListKind,
): Promise<Gathered[]> {
  const able = [...upstreams.values()].filter(
    ({ capabilities }) => capabilities[kind.capability] !== undefined,
  )
  return (await Promise.all(able.map((upstream) => read(upstream, kind)))).flat()
}

async function read(upstream: Upstream, { method, key }: ListKind): Promise<Gathered[]> {
  const entries: Gathered[] = []
  const deadline = Date.now() + EACH_MS
  const page = (params: JsonObject) =>
    upstream.request(method, params, { own: true, timeoutMs: Math.max(1, deadline - Date.now()) })
  const take = (entry: unknown) => {
    if (isObject(entry) && !isTooDeep(entry)) entries.push({ server: upstream.name, entry })
  }
  await listPages(key, page, take).catch(() => {})
  return entries
}
