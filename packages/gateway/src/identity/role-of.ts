import type { AdministratorConfig } from '../config/team-config.ts'
import { isSameIssuer } from './issuer-metadata.ts'
import type { Person } from './person.ts'

/** Whether one of the administrators is this person. */
export function roleOf(
  { issuer, subject, email, groups }: Pick<Person, 'issuer' | 'subject' | 'email' | 'groups'>,
  administrators: readonly AdministratorConfig[],
): Person['role'] {
  const isNamed = administrators.some(
    ({ kind, name, ...of }) =>
      isSameIssuer(of.issuer, issuer) &&
      (kind === 'group'
        ? groups.includes(name)
        : kind === 'subject'
          ? name === subject
          : name.toLowerCase() === email),
  )
  return isNamed ? 'administrator' : 'member'
}
