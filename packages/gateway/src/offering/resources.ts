import { ResourceNotFoundError, UriTemplate } from '@modelcontextprotocol/server'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { type Gathered, gatherLists } from './gather-lists.ts'
import type { UpstreamSet } from './upstream-set.ts'

/**
 * The resources of all servers, under their own addresses. Of two servers with the same address, the
 * one that is first in the configuration has it.
 */
export interface Resources {
  list(): Promise<readonly JsonObject[]>
  templates(): Promise<readonly JsonObject[]>
  /**
   * Whose an address or a template is: of who lists it, has a template for it, or named it in a result.
   * Servers are not asked one after the other: an address may be a secret.
   *
   * Rejects with ResourceNotFoundError if it is nobody's.
   */
  find(uri: string): Promise<Upstream>
  /** Remembers the addresses that a server names in a result. */
  learn(server: string, result: JsonObject): void
}

const LIST = { capability: 'resources', method: 'resources/list', key: 'resources' }
const TEMPLATES = {
  capability: 'resources',
  method: 'resources/templates/list',
  key: 'resourceTemplates',
}
const MAX_LEARNT = 10_000
/** Where a result has what may name an address. */
const BLOCKS = ['content', 'contents', 'messages'] as const

export function createResources(servers: UpstreamSet): Resources {
  let listed = new Map<string, string>()
  let templates = new Map<string, string>()
  const learnt = new Map<string, string>()

  async function list(): Promise<JsonObject[]> {
    const { entries, homes } = unique(await gatherLists(servers, LIST), 'uri')
    listed = homes
    return entries
  }

  async function listTemplates(): Promise<JsonObject[]> {
    const { entries, homes } = unique(await gatherLists(servers, TEMPLATES), 'uriTemplate')
    templates = homes
    return entries
  }

  function home(uri: string): string | undefined {
    const known = listed.get(uri) ?? templates.get(uri)
    if (known !== undefined) return known
    for (const [template, server] of templates) if (fits(template, uri)) return server
    return learnt.get(uri)
  }

  return {
    list,
    templates: listTemplates,
    async find(uri) {
      if (home(uri) === undefined) await Promise.all([list(), listTemplates()])
      const upstream = servers.upstreams.get(home(uri) ?? '')
      if (upstream) return upstream
      throw new ResourceNotFoundError(uri)
    },
    // every result of every call comes by here
    learn(server, result) {
      for (const key of BLOCKS) {
        const blocks = result[key]
        if (!Array.isArray(blocks)) continue
        for (const block of blocks) {
          const address = addressIn(block)
          if (address === undefined || learnt.has(address)) continue
          learnt.set(address, server)
          if (learnt.size > MAX_LEARNT) learnt.delete(learnt.keys().next().value!)
        }
      }
    },
  }
}

/** The address that a block names, or the content of a message. */
function addressIn(block: unknown): string | undefined {
  const named = ((block as { content?: unknown } | null)?.content ?? block ?? {}) as {
    uri?: unknown
    resource?: { uri?: unknown }
  }
  const address = named.uri ?? named.resource?.uri
  return typeof address === 'string' ? address : undefined
}

function unique(
  gathered: readonly Gathered[],
  key: string,
): { entries: JsonObject[]; homes: Map<string, string> } {
  const homes = new Map<string, string>()
  const entries: JsonObject[] = []
  for (const { server, entry } of gathered) {
    const address = entry[key]
    if (typeof address !== 'string' || homes.has(address)) continue
    homes.set(address, server)
    entries.push(entry)
  }
  return { entries, homes }
}

function fits(template: string, uri: string): boolean {
  try {
    return new UriTemplate(template).match(uri) !== null
  } catch {
    // a template that cannot be read has no resources
    return false
  }
}
