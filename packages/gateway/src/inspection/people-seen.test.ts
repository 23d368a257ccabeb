import { expect, it } from 'vitest'
import { LOCAL_PERSON } from '../identity/person.ts'
import { createPeopleSeen } from './people-seen.ts'

const person = (subject: string) => ({ ...LOCAL_PERSON, id: `i ${subject}`, subject })

it('lists the most recent people first, counts their requests and forgets tokens', () => {
  let now = 1
  const people = createPeopleSeen({ now: () => now++, capacity: 2 })
  people.saw({ ...person('ann'), token: 'secret' })
  people.saw(person('bob'))
  people.saw({ ...person('ann'), groups: ['staff'] })
  expect(people.list()).toMatchObject([
    { id: 'i ann', groups: ['staff'], lastSeen: 3, requests: 2 },
    { id: 'i bob', requests: 1 },
  ])
  expect(JSON.stringify([people.list(), people.find('i ann')])).not.toContain('secret')
  people.saw(person('eve'))
  expect(people.list().map(({ subject }) => subject)).toEqual(['eve', 'ann'])
  expect(people.find('i bob')).toBeUndefined()
})
