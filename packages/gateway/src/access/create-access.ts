import { createHash } from 'node:crypto'
import type { TeamConfig } from '../config/team-config.ts'
import type { Caller } from '../identity/caller.ts'
import type { Person } from '../identity/person.ts'
import { createBoundedMap } from '../system/bounded-map.ts'
import { allOf, type Decider, deniesAll, rightsBy } from './decider.ts'
import { ALL_RIGHTS, type Rights } from './rights.ts'
import { compileRule, ruleDecider } from './rule-decider.ts'
import { createRuleSubjects } from './rule-subjects.ts'
import { selectionDecider } from './selection-decider.ts'

/** Decides who may use what. Synchronous, and the same for the same configuration. */
export interface Access {
  /** What a caller may use. Callers to whom the same rules apply share an object. */
  rightsOf(caller: Caller): Rights
  /** The parts that must all allow a request of a caller, for administrators. */
  partsOf(caller: Caller): readonly AccessPart[]
}

/** One of the things that must all allow a request. */
export interface AccessPart {
  readonly by: 'rules' | 'policies' | 'profile' | 'credential'
  /** Together with the keys of the other parts, the key of the rights. */
  readonly key: string
  readonly decider: Decider
}

/** Policies in another language than the rules of the configuration. */
export interface Policies {
  /** People with the same key get the same decisions. Changes whenever the policies do. */
  keyOf(person: Person): string
  deciderFor(person: Person): Decider
}

export interface CreateAccessOptions {
  /** Cedar policies. @default none */
  readonly policies?: Policies | undefined
}

/** Rights are created again when they are needed. */
const MAX_RIGHTS = 4_096

/**
 * Without `access`, everybody may use everything that the profile in the address and the credential
 * permit. With it, nothing is allowed unless a rule and the policies allow it.
 */
export function createAccess(
  { access, profiles }: Pick<TeamConfig, 'access' | 'profiles'>,
  { policies }: CreateAccessOptions = {},
): Access {
  const rules = access?.rules ?? []
  const hasRules = access !== undefined && (rules.length > 0 || !policies)
  const subjects = createRuleSubjects(rules)
  const compiled = rules.map(compileRule)
  const version = hashOf(rules)
  const known = createBoundedMap<string, Rights>(MAX_RIGHTS)
  const deciders = createBoundedMap<string, Decider>(MAX_RIGHTS)
  /** A person is the same object for as long as a credential is valid, and makes many requests. */
  const byPerson = new WeakMap<Person, Map<string | undefined, Rights>>()

  function partsOf({ person, profile }: Caller): readonly AccessPart[] {
    return [
      ...(hasRules ? [rulesPart(person)] : []),
      ...(policies ? [policiesPart(policies, person)] : []),
      ...(profile === undefined ? [] : [profilePart(profile)]),
      ...scopeParts(person, profile),
    ]
  }

  /** A part whose decider is created when it is asked for the first time. */
  function part(by: AccessPart['by'], key: string, create: () => Decider): AccessPart {
    return {
      by,
      key,
      get decider() {
        const name = `${by} ${key}`
        const decider = deciders.get(name) ?? create()
        deciders.set(name, decider)
        return decider
      },
    }
  }

  function rulesPart(person: Person): AccessPart {
    const applicable = subjects(person)
    return part('rules', `${version} ${applicable.join()}`, () =>
      ruleDecider(applicable.map((index) => compiled[index]!)),
    )
  }

  function policiesPart(given: Policies, person: Person): AccessPart {
    return part('policies', given.keyOf(person), () => given.deciderFor(person))
  }

  function profilePart(name: string): AccessPart {
    const label = `profile ${JSON.stringify(name)}`
    if (!Object.hasOwn(profiles, name)) {
      return part('profile', `unknown ${name}`, () => deniesAll(`there is no ${label}`))
    }
    const { servers, allow, deny, readOnly } = profiles[name]!
    const key = `${name} ${JSON.stringify([servers, allow, deny, readOnly])}`
    return part('profile', key, () =>
      selectionDecider({ label, servers, ...(allow && { allow }), deny, readOnly }),
    )
  }

  function scopeParts({ scope }: Person, profile: string | undefined): readonly AccessPart[] {
    if (!scope || (!scope.allow && !scope.profiles)) return []
    const label = 'scope of the credential'
    const isElsewhere =
      scope.profiles && (profile === undefined || !scope.profiles.includes(profile))
    if (isElsewhere) {
      return [part('credential', 'elsewhere', () => deniesAll(`${label}: profiles`))]
    }
    const { allow } = scope
    if (!allow) return []
    return [part('credential', JSON.stringify(allow), () => selectionDecider({ label, allow }))]
  }

  return {
    partsOf,
    rightsOf(caller) {
      const { person, profile } = caller
      const found = byPerson.get(person) ?? new Map<string | undefined, Rights>()
      const rights = found.get(profile) ?? findRights(caller)
      // Names of profiles come from addresses, and anybody can make them up.
      if (profile === undefined || Object.hasOwn(profiles, profile)) found.set(profile, rights)
      byPerson.set(person, found)
      return rights
    },
  }

  function findRights(caller: Caller): Rights {
    const parts = partsOf(caller)
    if (parts.length === 0) return ALL_RIGHTS
    const key = JSON.stringify(parts.map((each) => [each.by, each.key]))
    const rights = known.get(key) ?? rightsBy(allOf(parts.map(({ decider }) => decider)), key)
    known.set(key, rights)
    return rights
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 16)
}
