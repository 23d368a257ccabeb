import type { Caller } from '../identity/caller.ts'
import type { Resources } from '../offering/resources.ts'
import type { Subscriptions } from '../offering/subscriptions.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { FindTarget } from './find-target.ts'
import { joinGates } from './join-gates.ts'
import type { OutcomeReport } from './outcome-report.ts'
import { passPart } from './pass-gate.ts'
import type { AgentRequest, RequestGate } from './request-gate.ts'

/** The resources that a client listens for. */
interface ResourceWatch {
  /** Those that servers report on. */
  readonly uris: readonly string[]
  stop(): void
}

/**
 * Subscribes to resources for a client of the modern protocol. A resource that the caller may not read, that exceeds
 * a limit, or whose server refuses, is left out. Never rejects.
 *
 * @param request names the resources. Each of them passes the gate like a `resources/subscribe` of its own
 */
export type WatchResources = (
  uris: readonly string[],
  request: AgentRequest,
) => Promise<ResourceWatch>

export interface WatchResourcesOptions {
  readonly subscriptions: Subscriptions
  readonly resourcesOf: (caller: Caller) => Resources
  readonly findTarget: FindTarget
  readonly gate?: RequestGate | undefined
}

/** Further resources of a request are not acknowledged. */
const MAX_RESOURCES = 256
const METHOD = 'resources/subscribe'

export function createWatchResources({
  subscriptions,
  resourcesOf,
  findTarget,
  gate = joinGates([]),
}: WatchResourcesOptions): WatchResources {
  return async (uris, request) => {
    const { caller } = request
    const client = { connection: {}, person: caller.person.id }

    async function watch(uri: string, report: OutcomeReport): Promise<JsonObject> {
      const upstream = await resourcesOf(caller).find(uri, {
        person: client.person,
        onDecision: (target, decision) => report.decided({ kind: 'resource', ...target }, decision),
      })
      if (!upstream) throw new Error('There is no such resource.')
      await subscriptions.add(client, upstream, uri)
      return {}
    }

    async function isWatched(uri: string): Promise<boolean> {
      const params = { uri }
      const part = {
        method: METHOD,
        params,
        findTarget: () => findTarget({ caller, method: METHOD, params }),
      }
      await passPart(gate, request, part, (report) => watch(uri, report))
      return true
    }

    const asked = [...new Set(uris)].slice(0, MAX_RESOURCES)
    const answers = await Promise.all(asked.map((uri) => isWatched(uri).catch(() => false)))
    return {
      uris: asked.filter((_, at) => answers[at]),
      stop: () => subscriptions.forget(client.connection),
    }
  }
}
