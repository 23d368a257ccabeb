import type { AccessRuleConfig } from '../config/team-config.ts'
import type { Person } from '../identity/person.ts'

/** An entry that names its issuer, the id of a person, or an entry about API keys. */
const WITH_ISSUER = /^(?:https?(?::|%3a)\S+|key) /i

/** The names by which rules can mean a group or a subject of an issuer. A name can look like one of another issuer. */
export function namesOf(issuer: string, name: string): readonly string[] {
  const withIssuer = `${issuer} ${name}`
  return WITH_ISSUER.test(name) ? [withIssuer] : [name, withIssuer]
}

/**
 * Finds the rules that apply to a person, as ascending indexes. A rule without `groups` and `people` applies
 * to everybody; otherwise a person must be in one of the groups or be one of the people.
 *
 * People are found by subject, by the id of an API key, or by an email address, which a `Person` only has if the
 * issuer has verified it. An entry with an issuer and a space in front is only about people of that issuer.
 */
export function createRuleSubjects(
  rules: readonly Pick<AccessRuleConfig, 'groups' | 'people'>[],
): (person: Person) => readonly number[] {
  const everybody: number[] = []
  const byGroup = new Map<string, number[]>()
  const byName = new Map<string, number[]>()
  const byEmail = new Map<string, number[]>()
  for (const [index, { groups, people }] of rules.entries()) {
    if (!groups && !people) everybody.push(index)
    for (const group of groups ?? []) add(byGroup, keyOf(group), index)
    for (const name of people ?? []) {
      add(byName, keyOf(name), index)
      add(byEmail, keyOf(name).toLowerCase(), index)
    }
  }
  return ({ id, issuer, subject, email, groups }) => {
    const found = new Set(everybody)
    const include = (indexes: readonly number[] = []) => {
      for (const index of indexes) found.add(index)
    }
    const includeBoth = (map: typeof byName, name: string, from = issuer) => {
      for (const each of namesOf(from, name)) include(map.get(keyOf(each)))
    }
    for (const group of groups) includeBoth(byGroup, group)
    includeBoth(byName, subject)
    include(byName.get(id))
    if (email !== undefined) includeBoth(byEmail, email.toLowerCase(), issuer.toLowerCase())
    return [...found].sort((a, b) => a - b)
  }
}

/** The entry, with an issuer that has no slash at its end. */
function keyOf(entry: string): string {
  return entry.replace(/^(https?:\S+?)\/ /, '$1 ')
}

function add(map: Map<string, number[]>, key: string, index: number): void {
  const indexes = map.get(key)
  if (indexes) indexes.push(index)
  else map.set(key, [index])
}
