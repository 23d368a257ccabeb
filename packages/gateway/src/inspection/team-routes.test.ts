import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ApiKeys, createApiKeys } from '../identity/api-keys.ts'
import type { Caller } from '../identity/caller.ts'
import { createFileKeyStore } from '../identity/file-key-store.ts'
import { LOCAL_PERSON, personId } from '../identity/person.ts'
import { closeAll, open } from './inspection.fixtures.ts'
import type { KeyList, Me, NewKey } from './team-api.ts'

const member: Caller = {
  person: {
    ...LOCAL_PERSON,
    id: personId('https://login', 'bob'),
    role: 'member',
    groups: ['ops'],
  },
}

let folder: string
let keys: ApiKeys

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-keys-'))
  keys = createApiKeys(createFileKeyStore(join(folder, 'keys.json')))
})
afterAll(async () => {
  await keys.close()
})
afterEach(closeAll)

describe('the API for people', () => {
  it('tells a member who they are, and nothing else', async () => {
    const { ask } = await open(undefined, { caller: member })
    const me = await ask<Me>('/api/me')
    expect(me.data).toMatchObject({ role: 'member', groups: ['ops'] })
    for (const path of [
      '/api/overview',
      '/api/tools',
      '/api/people',
      '/api/keys',
      '/api/nowhere',
    ]) {
      expect(await ask(path), path).toEqual({
        status: 403,
        data: { error: 'Only administrators may see this.' },
      })
    }
  })

  it('lets the person at the machine do everything', async () => {
    const { ask } = await open()
    expect((await ask<Me>('/api/me')).data).toMatchObject({
      role: 'administrator',
      features: { signIn: false, people: false, keys: false, audit: false, accounts: false },
    })
    expect((await ask('/api/people')).data).toMatchObject({ people: [], groups: [] })
  })
})

describe('the API for keys', () => {
  it('creates a key whose secret is shown once, lists and revokes it', async () => {
    const { ask } = await open(undefined, { keys })
    const body = JSON.stringify({ name: 'nightly', groups: ['ci'], allow: ['docs/*'], days: 30 })
    const { data } = await ask<NewKey>('/api/keys', { method: 'POST', body })
    expect(data.secret).toMatch(/^tsk_/)
    expect(await keys.check(data.secret)).toHaveProperty('person')
    const listed = await ask<KeyList>('/api/keys')
    expect(listed.data.keys).toMatchObject([
      { name: 'nightly', state: 'active', groups: ['ci'], allow: ['docs/*'], role: 'member' },
    ])
    expect(JSON.stringify(listed.data)).not.toContain(data.secret)
    expect(JSON.stringify(listed.data)).not.toContain('hash')
    const revoked = await ask<KeyList>(`/api/keys/${data.key.id}`, { method: 'DELETE' })
    expect(revoked.data.keys).toMatchObject([{ state: 'revoked' }])
    expect(await keys.check(data.secret)).toHaveProperty('problem')
    expect((await ask(`/api/keys/${data.key.id}`, { method: 'DELETE' })).status).toBe(404)
  })

  it.each([
    ['no name', { groups: [] }, 'Enter a name'],
    ['a role that does not exist', { name: 'a', role: 'root' }, 'Invalid role "root"'],
    ['a text instead of a list', { name: 'a', allow: 'docs/*' }, '"allow" must be a list'],
    ['an endless life', { name: 'a', days: 1e9 }, 'Invalid number of days'],
    ['no object', 7, 'Send {"name": "…"}.'],
  ])('rejects %s', async (_, body, message) => {
    const { ask } = await open(undefined, { keys })
    const { status, data } = await ask<{ error: string }>('/api/keys', {
      method: 'POST',
      body: JSON.stringify(body),
    })
    expect(status).toBe(400)
    expect(data.error).toContain(message)
  })

  it('says why there are none without identity settings', async () => {
    const { ask } = await open()
    expect(await ask('/api/keys')).toMatchObject({ status: 409 })
  })
})
