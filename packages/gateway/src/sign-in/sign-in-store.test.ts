import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { openReplicas } from '../state/open-replicas.fixtures.ts'
import { createPostgresSignInStore, type SignInSeal } from './postgres-sign-in-store.ts'
import { describeSignInStore } from './sign-in-store.cases.ts'
import { createSignInStore, type StoredSignIn } from './sign-in-store.ts'

describe('createSignInStore', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'toolsearch-sign-ins-'))
  })

  describeSignInStore(async () => [createSignInStore(folder), createSignInStore(folder)])
})

describe('createPostgresSignInStore', () => {
  describeSignInStore(async () => {
    const [one, other] = await openReplicas()
    return [
      createPostgresSignInStore(one.database, one),
      createPostgresSignInStore(other.database, other),
    ]
  })

  const key = { name: 'crm', url: 'https://crm.example/mcp' }
  const signIn = (access_token: string): StoredSignIn => ({
    tokens: { access_token, token_type: 'Bearer' },
  })

  it('refuses what a process writes that has lost its lock while it was frozen', async () => {
    const [one, other] = await openReplicas()
    const frozen = createPostgresSignInStore(one.database, one)
    const awake = createPostgresSignInStore(other.database, other)
    const late = await frozen.withLock(key, async ({ write }) => {
      // As if the process had been frozen: its lease ends.
      await one.database.run((queries) =>
        sql`update toolsearch_locks set expires_at = 'epoch'`.execute(queries),
      )
      await awake.withLock(key, ({ write }) => write(signIn('new')))
      return write(signIn('late'))
    })
    expect(late).toBe(false)
    expect(await awake.read(key)).toEqual(signIn('new'))
  })

  it('stores nothing readable if there is a key, and nothing that another sign-in can use', async () => {
    const [one, other] = await openReplicas()
    const secret = randomBytes(8).toString('hex')
    // Reversed, to stand in for encryption.
    const seal: SignInSeal = {
      seal: (text, { name }) => [...`${name} ${text}`].reverse().join(''),
      open(sealed, { name }) {
        const text = [...sealed].reverse().join('')
        return text.startsWith(`${name} `) ? text.slice(name.length + 1) : undefined
      },
    }
    const store = createPostgresSignInStore(one.database, { ...one, seal })
    await store.write(key, signIn(secret))
    await store.write({ ...key, name: 'wiki' }, signIn('wiki'))
    const { rows } = await one.database.run((queries) =>
      sql<{ sign_in: object }>`select * from toolsearch_sign_ins`.execute(queries),
    )
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(await createPostgresSignInStore(other.database, { ...other, seal }).read(key)).toEqual(
      signIn(secret),
    )
    await one.database.run((queries) =>
      sql`update toolsearch_sign_ins set sign_in = (select sign_in from toolsearch_sign_ins order by length(sign_in::text) limit 1)`.execute(
        queries,
      ),
    )
    expect(await store.read(key)).toBeUndefined()
    expect(await createPostgresSignInStore(one.database, one).read(key)).toBeUndefined()
  })
})
