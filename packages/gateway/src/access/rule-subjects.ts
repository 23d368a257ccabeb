import type { AccessRuleConfig } from '../config/team-config.ts'
import type { Person } from '../identity/person.ts'

/**
 * Finds the rules that apply to a person, as ascending indexes. A rule without `groups` and `people` applies
 * to everybody; otherwise a person must be in one of the groups or be one of the people.
 *
 * People are found by subject, by issuer and subject with a space in between, by the id of an API key, or
 * by an email address, which a `Person` only has if the issuer has verified it.
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
    for (const group of groups ?? []) add(byGroup, group, index)
    for (const name of people ?? []) {
      add(byName, name, index)
      add(byEmail, name.toLowerCase(), index)
    }
  }
  return ({ id, issuer, subject, email, groups }) => {
    const found = new Set(everybody)
    const include = (indexes: readonly number[] = []) => {
      for (const index of indexes) found.add(index)
    }
    for (const group of groups) include(byGroup.get(group))
    for (const name of [subject, id, `${issuer} ${subject}`]) include(byName.get(name))
    if (email !== undefined) include(byEmail.get(email.toLowerCase()))
    return [...found].sort((a, b) => a - b)
  }
}

function add(map: Map<string, number[]>, key: string, index: number): void {
  const indexes = map.get(key)
  if (indexes) indexes.push(index)
  else map.set(key, [index])
}
