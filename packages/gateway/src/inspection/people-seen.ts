import type { Person } from '../identity/person.ts'

/** Somebody who has used the gateway since it started. */
export interface SeenPerson
  extends Pick<Person, 'id' | 'issuer' | 'subject' | 'name' | 'email' | 'groups' | 'role'> {
  /** When the last request arrived, in milliseconds since 1970. */
  readonly lastSeen: number
  readonly requests: number
}

export interface PeopleSeen {
  /** Counts a request of a person. */
  saw(person: Person): void
  /** The person with this id, as of the last request, without the token. */
  find(id: string): Person | undefined
  /** The most recent first. */
  list(): readonly SeenPerson[]
}

export interface PeopleSeenOptions {
  /** @default Date.now */
  readonly now?: () => number
  /** How many people to remember: the most recent ones. @default 10_000 */
  readonly capacity?: number
}

/** Remembers who has used the gateway, in memory. */
export function createPeopleSeen({
  now = Date.now,
  capacity = 10_000,
}: PeopleSeenOptions = {}): PeopleSeen {
  const people = new Map<string, { person: Person; lastSeen: number; requests: number }>()
  return {
    saw({ token: _, ...person }) {
      const requests = (people.get(person.id)?.requests ?? 0) + 1
      // The order of the map is the order in which people were seen last.
      people.delete(person.id)
      people.set(person.id, { person, lastSeen: now(), requests })
      const [oldest] = people.keys()
      if (people.size > capacity && oldest !== undefined) people.delete(oldest)
    },
    find: (id) => people.get(id)?.person,
    list: () =>
      [...people.values()].reverse().map(({ person, lastSeen, requests }) => {
        const { id, issuer, subject, name, email, groups, role } = person
        return {
          id,
          issuer,
          subject,
          ...(name !== undefined && { name }),
          ...(email !== undefined && { email }),
          groups,
          role,
          lastSeen,
          requests,
        }
      }),
  }
}
