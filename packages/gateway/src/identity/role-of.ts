import type { Person } from './person.ts'

/** @param administrators groups, subjects and email addresses */
export function roleOf(
  { subject, email, groups }: Pick<Person, 'subject' | 'email' | 'groups'>,
  administrators: readonly string[],
): Person['role'] {
  const isNamed = administrators.some(
    (name) => name === subject || name.toLowerCase() === email || groups.includes(name),
  )
  return isNamed ? 'administrator' : 'member'
}
