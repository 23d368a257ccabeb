import type { JsonObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { gatherLists } from './gather-lists.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The prompts of all servers, named like tools: `server__prompt`. */
export interface Prompts {
  list(): Promise<readonly JsonObject[]>
  /** The server that has a prompt, and the prompt's name there. Undefined if no server has it. */
  find(name: string): Promise<{ upstream: Upstream; name: string } | undefined>
}

const KIND = { capability: 'prompts', method: 'prompts/list', key: 'prompts' }

/** @param nameOf returns the name under which the gateway offers a server's prompt */
export function createPrompts(
  servers: UpstreamSet,
  nameOf: (server: string, prompt: string) => string,
): Prompts {
  let origins = new Map<string, { server: string; name: string }>()

  async function list(): Promise<JsonObject[]> {
    const next: typeof origins = new Map()
    const listed: JsonObject[] = []
    for (const { server, entry } of await gatherLists(servers, KIND)) {
      if (typeof entry.name !== 'string') continue
      const name = nameOf(server, entry.name)
      // Two prompts can end up with the same name; the first one wins.
      if (next.has(name)) continue
      next.set(name, { server, name: entry.name })
      listed.push({ ...entry, name })
    }
    origins = next
    return listed
  }

  return {
    list,
    async find(name) {
      if (!origins.has(name)) await list()
      const origin = origins.get(name)
      const upstream = origin && servers.upstreams.get(origin.server)
      return upstream && { upstream, name: origin.name }
    },
  }
}
