import type { CedarModule } from './cedar-module.ts'
import { concernsPerson, type PolicyPerson } from './may-concern.ts'
import type { Policy } from './read-policies.ts'
import { visiblePolicy } from './visible-policies.ts'

/** The names under which the engine keeps the policies that can concern a person. */
export interface PolicySlice {
  readonly all: string
  /** To decide whether a tool is visible. */
  readonly visible: string
}

/** The engine never forgets a set, so the names of the oldest ones are used again. */
const MAX_SLICES = 256

/**
 * Gives the engine only the policies that can concern a person: it copies them for every decision, and a
 * person is in few of the groups that policies are about.
 *
 * @param slot the start of the names
 */
export function createPolicySlices(
  cedar: CedarModule,
  policies: readonly Policy[],
  slot: string,
): (person: PolicyPerson, key: string) => PolicySlice {
  /** By the key of the person, the least recently used first. */
  const slices = new Map<string, PolicySlice>()
  const visible = new Map(policies.map(({ id, json }) => [id, visiblePolicy(json)]))

  function store(name: string, part: readonly Policy[]): void {
    const staticPolicies = Object.fromEntries(part.map(({ id, json }) => [id, json]))
    const answer = cedar.preparsePolicySet(name, { staticPolicies })
    if (answer.type === 'failure') throw new Error(answer.errors[0]?.message ?? 'Invalid policies.')
  }

  function nextNames(): PolicySlice {
    const [oldest] = slices
    if (!oldest || slices.size < MAX_SLICES) {
      return { all: `${slot} ${slices.size} all`, visible: `${slot} ${slices.size} visible` }
    }
    slices.delete(oldest[0])
    return oldest[1]
  }

  function create(person: PolicyPerson): PolicySlice {
    const part = policies.filter(({ json }) => concernsPerson(json, person))
    const names = nextNames()
    store(names.all, part)
    store(
      names.visible,
      part.flatMap(({ id }) => {
        const json = visible.get(id)
        return json ? [{ id, json }] : []
      }),
    )
    return names
  }

  return (person, key) => {
    const slice = slices.get(key) ?? create(person)
    slices.delete(key)
    slices.set(key, slice)
    return slice
  }
}
