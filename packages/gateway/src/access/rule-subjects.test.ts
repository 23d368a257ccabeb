import { expect, it } from 'vitest'
import { type Person, personId } from '../identity/person.ts'
import { createRuleSubjects } from './rule-subjects.ts'

const [one, two] = ['https://one.example.com', 'https://two.example.com/']

function person(issuer: string, subject: string, about: Partial<Person> = {}): Person {
  const id = personId(issuer, subject)
  return { id, issuer, subject, groups: [], role: 'member', ...about }
}

it.each([
  ['groups', `${one} staff`, person(one, 'a', { groups: ['staff'] })],
  ['groups', `${one}/ staff`, person(one, 'a', { groups: ['staff'] })],
  ['groups', 'https://two.example.com staff', person(two, 'a', { groups: ['staff'] })],
  ['groups', 'key staff', person('key', 'k1', { groups: ['staff'] })],
  ['groups', 'staff', person(two, 'a', { groups: ['staff'] })],
  ['people', `${one} ann`, person(one, 'ann')],
  ['people', personId(one, 'ann'), person(one, 'ann')],
  ['people', 'key k1', person('key', 'k1')],
  ['people', 'ann', person(two, 'ann')],
  ['people', `${one} Ann@x.dev`, person(one, 'a', { email: 'ann@X.dev' })],
  ['people', 'Ann@x.dev', person(one, 'a', { email: 'ann@X.dev' })],
])('finds %s %s', (key, entry, found) => {
  expect(createRuleSubjects([{ [key]: [entry] }])(found)).toEqual([0])
})

it.each([
  ['groups', `${one} staff`, person(two, 'a', { groups: ['staff'] })],
  ['groups', `${one} staff`, person(two, 'a', { groups: [`${one} staff`] })],
  ['groups', 'key staff', person(two, 'a', { groups: ['staff', 'key staff'] })],
  ['people', `${one} ann`, person(two, 'ann')],
  ['people', `${one} ann`, person(two, `${one} ann`)],
  ['people', personId(one, 'ann'), person(two, personId(one, 'ann'))],
  ['people', 'key k1', person(two, 'key k1')],
  ['people', `${one} ann@x.dev`, person(two, 'a', { email: 'ann@x.dev' })],
])('does not take somebody of another issuer for %s %s', (key, entry, other) => {
  expect(createRuleSubjects([{ [key]: [entry] }])(other)).toEqual([])
})
