import type { Caller } from '../identity/caller.ts'
import type { GatewayView } from '../offering/gateway-view.ts'
import { createLearntUris } from '../offering/learnt-uris.ts'
import { createPrompts, type Prompts } from '../offering/prompts.ts'
import { createResources, type Resources } from '../offering/resources.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { SharedState } from '../state/shared-state.ts'

/** What a view has besides tools. */
export interface ViewContents {
  readonly prompts: Prompts
  readonly resources: Resources
}

/** A request, with what its caller may use. */
export interface CallerRequest extends ViewContents {
  readonly caller: Caller
  readonly view: GatewayView
}

/**
 * The resources and prompts of each view.
 *
 * @param state where replicas learn what other replicas have learnt
 */
export function createViewContents(state?: SharedState): {
  of(view: GatewayView): ViewContents
  /** Remembers the URIs that a server mentions in a result for a caller. */
  learn(server: string, result: JsonObject, caller: Caller): void
} {
  const learnt = createLearntUris(state)
  const known = new WeakMap<GatewayView, ViewContents>()
  // URIs are learnt for a person, whichever view they use.
  const { learn } = createResources({ upstreams: new Map() }, { learnt })

  return {
    of(view) {
      const existing = known.get(view)
      if (existing) return existing
      const { servers, rights, nameOf, skills } = view
      const resource: typeof rights.resource = (asked) =>
        skills.isSkillFile(asked.server, asked.uri) ? SKILL_FILE : rights.resource(asked)
      const created = {
        prompts: createPrompts(servers, { nameOf, rights }),
        resources: createResources(servers, { rights: { resource }, learnt }),
      }
      known.set(view, created)
      return created
    },
    learn: (server, result, { person }) => learn(server, result, person.id),
  }
}

const SKILL_FILE = { isAllowed: false, reason: 'files of skills are not plain resources' }
