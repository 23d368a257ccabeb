import { ALL_RIGHTS, type Rights } from '../access/rights.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { gatherLists } from './gather-lists.ts'
import type { FindOptions } from './resources.ts'
import type { UpstreamSet } from './upstream-set.ts'

/** The prompts that the callers of a view may use, named like tools: `server__prompt`. */
export interface Prompts {
  list(): Promise<readonly JsonObject[]>
  /** The server that has a prompt, and the prompt's name there. Undefined if no server has it. */
  find(
    name: string,
    options?: Pick<FindOptions, 'onDecision'>,
  ): Promise<{ upstream: Upstream; name: string } | undefined>
}

export interface PromptsOptions {
  /** The name under which the gateway offers a server's prompt. */
  readonly nameOf: (server: string, prompt: string) => string
  /** @default all rights */
  readonly rights?: Pick<Rights, 'prompt'>
}

interface Origin {
  readonly server: string
  readonly name: string
}

const KIND = { capability: 'prompts', method: 'prompts/list', key: 'prompts' }

export function createPrompts(
  servers: Pick<UpstreamSet, 'upstreams'>,
  { nameOf, rights = ALL_RIGHTS }: PromptsOptions,
): Prompts {
  let origins = new Map<string, Origin>()
  /** The prompts that callers may not use, to explain it to administrators. */
  let hidden = new Map<string, Origin>()

  async function list(): Promise<JsonObject[]> {
    const next: typeof origins = new Map()
    const nextHidden: typeof hidden = new Map()
    const listed: JsonObject[] = []
    for (const { server, entry } of await gatherLists(servers, KIND)) {
      if (typeof entry.name !== 'string') continue
      const origin = { server, name: entry.name }
      const name = nameOf(server, entry.name)
      if (!rights.prompt(origin).isAllowed) {
        nextHidden.set(name, origin)
        continue
      }
      // Two prompts can end up with the same name; the first one wins.
      if (next.has(name)) continue
      next.set(name, origin)
      listed.push({ ...entry, name })
    }
    origins = next
    hidden = nextHidden
    return listed
  }

  return {
    list,
    async find(name, { onDecision } = {}) {
      if (!origins.has(name)) await list()
      const origin = origins.get(name)
      const judged = origin ?? hidden.get(name)
      if (judged && onDecision) onDecision(judged, rights.prompt(judged))
      const upstream = origin && servers.upstreams.get(origin.server)
      return upstream && { upstream, name: origin.name }
    },
  }
}
