import type { JsonObject } from '../protocol/json-object.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { type GatheredEntry, gatherLists } from './gather-lists.ts'
import type { UpstreamSet } from './upstream-set.ts'

/**
 * The resources of all servers, under their original URIs. If two servers have the same URI, it
 * belongs to the one that comes first in the configuration.
 */
export interface Resources {
  list(): Promise<readonly JsonObject[]>
  templates(): Promise<readonly JsonObject[]>
  /**
   * The server that lists a URI or a template, has a template that matches the URI, or mentioned the
   * URI in a result. Undefined if there is none.
   *
   * Never tries servers one by one: a URI can be a secret.
   */
  find(uri: string): Promise<Upstream | undefined>
  /** Remembers the URIs that a server mentions in a result. */
  learn(server: string, result: JsonObject): void
}

/** Whether a URI template matches a URI. Throws if the template is invalid. */
export type MatchTemplate = (template: string, uri: string) => boolean

const LIST = { capability: 'resources', method: 'resources/list', key: 'resources' }
const TEMPLATES = {
  capability: 'resources',
  method: 'resources/templates/list',
  key: 'resourceTemplates',
}
const MAX_LEARNT = 10_000
/** Fields of a result whose entries may mention URIs. */
const BLOCKS = ['content', 'contents', 'messages'] as const

export function createResources(servers: UpstreamSet, matchTemplate: MatchTemplate): Resources {
  let listed = new Map<string, string>()
  let templates = new Map<string, string>()
  const learnt = createBoundedMap<string, string>(MAX_LEARNT)

  async function list(): Promise<JsonObject[]> {
    const { entries, origins } = unique(await gatherLists(servers, LIST), 'uri')
    listed = origins
    return entries
  }

  async function listTemplates(): Promise<JsonObject[]> {
    const { entries, origins } = unique(await gatherLists(servers, TEMPLATES), 'uriTemplate')
    templates = origins
    return entries
  }

  function originOf(uri: string): string | undefined {
    const known = listed.get(uri) ?? templates.get(uri)
    if (known !== undefined) return known
    for (const [template, server] of templates) if (matches(template, uri)) return server
    return learnt.get(uri)
  }

  function matches(template: string, uri: string): boolean {
    try {
      return matchTemplate(template, uri)
    } catch {
      return false
    }
  }

  return {
    list,
    templates: listTemplates,
    async find(uri) {
      if (originOf(uri) === undefined) await Promise.all([list(), listTemplates()])
      return servers.upstreams.get(originOf(uri) ?? '')
    },
    // Hot path: runs for the result of every call.
    learn(server, result) {
      for (const key of BLOCKS) {
        const blocks = result[key]
        if (!Array.isArray(blocks)) continue
        for (const block of blocks) {
          const uri = uriIn(block)
          if (uri === undefined || learnt.has(uri)) continue
          learnt.set(uri, server)
        }
      }
    },
  }
}

/** The URI in a content block, or in the content of a prompt message. */
function uriIn(block: unknown): string | undefined {
  const content = ((block as { content?: unknown } | null)?.content ?? block ?? {}) as {
    uri?: unknown
    resource?: { uri?: unknown }
  }
  const uri = content.uri ?? content.resource?.uri
  return typeof uri === 'string' ? uri : undefined
}

function unique(
  gathered: readonly GatheredEntry[],
  key: string,
): { entries: JsonObject[]; origins: Map<string, string> } {
  const origins = new Map<string, string>()
  const entries: JsonObject[] = []
  for (const { server, entry } of gathered) {
    const uri = entry[key]
    if (typeof uri !== 'string' || origins.has(uri)) continue
    origins.set(uri, server)
    entries.push(entry)
  }
  return { entries, origins }
}
