import { expect, it } from 'vitest'
import { createMemoryState } from '../state/memory-state.ts'
import { createIdTokens } from './id-tokens.ts'
import { createIdentityStores } from './identity-stores.ts'
import { LOCAL_PERSON, type Person, personId } from './person.ts'
import { createUsedProofs } from './used-proofs.ts'

const person = (name: string): Person => ({ ...LOCAL_PERSON, id: personId('issuer', name) })
const HOUR = 3_600_000

/** An ID token, as far as it matters who it is about. */
function idToken(sub: string, length: number): string {
  const claims = Buffer.from(JSON.stringify({ sub })).toString('base64url')
  return `x.${claims}.${'x'.repeat(length)}`
}

it('nobody takes the place of sessions, ID tokens and used proofs of others', async () => {
  const state = createMemoryState()
  const { pageSessions, idTokens, usedProofs } = createIdentityStores(state)
  const sign = (who: string, groups: readonly string[] = []) => {
    const about = { owner: person(who).id, ttlMs: HOUR }
    return pageSessions.add({ ...person(who), groups }, about)
  }
  const proof = { person: person('ann').id, jkt: 'key', jti: '1' }
  const [secret, first] = await Promise.all([sign('ann'), sign('eve')])
  await idTokens.keep('token of ann', idToken('ann', 100), HOUR)
  expect(await usedProofs.use(proof, HOUR)).toBe(true)

  const groups = Array.from({ length: 250 }, (_, at) => `${at}`.padEnd(400))
  for (let at = 0; at < 600; at++) {
    await sign('eve', groups)
    await idTokens.keep(`token ${at} of eve`, idToken('eve', 100_000), HOUR)
  }
  expect(await pageSessions.read(secret)).toEqual(person('ann'))
  expect(await pageSessions.read(first)).toBeUndefined()
  expect(await createIdTokens(state).find('token of ann')).toBe(idToken('ann', 100))
  expect(await createIdTokens(state).find('token 0 of eve')).toBeUndefined()
  expect(await usedProofs.use(proof, HOUR)).toBe(false)
})

it('a used proof is forgotten once it is too old, and not before', async () => {
  let now = 0
  const used = createUsedProofs(createMemoryState(), { now: () => now })
  const use = (jti: string, jkt = 'key') => used.use({ person: 'ann', jkt, jti }, 100)
  for (let at = 0; at < 60; at++) {
    now = at * 10
    expect(await use(`${at}`)).toBe(true)
    for (let old = Math.max(0, at - 10); old <= at; old++) expect(await use(`${old}`)).toBe(false)
  }
  expect(await use('0')).toBe(true)
  expect(await use('59', 'other key')).toBe(true)
})

it('the person who has used the most proofs has to wait if there are too many', async () => {
  let now = 0
  const used = createUsedProofs(createMemoryState(), { maxProofs: 100, now: () => now })
  let id = 0
  const use = (who: string) => used.use({ person: who, jkt: 'key', jti: `${id++}` }, 100)
  for (let at = 0; at < 100; at++) expect(await use('eve')).toBe(true)
  await expect(use('eve')).rejects.toThrow('eve has used too many')
  for (let at = 0; at < 50; at++) expect(await use('ann')).toBe(true)
  await expect(use('ann')).rejects.toThrow('too many')
  expect(await use('bob')).toBe(true)
  now = 110
  expect(await use('bob')).toBe(true)
  now = 220
  expect(await use('eve')).toBe(true)
})
