import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { gatherLists } from './gather-lists.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The prompts of all servers, under names like those of tools. */
export interface Prompts {
  list(): Promise<readonly JsonObject[]>
  /**
   * Where a prompt lives, and what it is called there.
   *
   * Rejects with ProtocolError if no server has it.
   */
  find(name: string): Promise<{ upstream: Upstream; name: string }>
}

const KIND = { capability: 'prompts', method: 'prompts/list', key: 'prompts' }

/** @param nameOf gives the name under which a prompt of a server is offered */
export function createPrompts(
  servers: UpstreamSet,
  nameOf: (server: string, prompt: string) => string,
): Prompts {
  let homes = new Map<string, { server: string; name: string }>()

  async function list(): Promise<JsonObject[]> {
    const next: typeof homes = new Map()
    const listed: JsonObject[] = []
    for (const { server, entry } of await gatherLists(servers, KIND)) {
      if (typeof entry.name !== 'string') continue
      const name = nameOf(server, entry.name)
      // names may come out the same: the first one has it
      if (next.has(name)) continue
      next.set(name, { server, name: entry.name })
      listed.push({ ...entry, name })
    }
    homes = next
    return listed
  }

  return {
    list,
    async find(name) {
      if (!homes.has(name)) await list()
      const home = homes.get(name)
      const upstream = home && servers.upstreams.get(home.server)
      if (upstream) return { upstream, name: home.name }
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no prompt "${name}". See prompts/list.`,
      )
    },
  }
}
