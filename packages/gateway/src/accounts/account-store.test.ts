import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startRedis, type TestRedis } from '../../../../testing/services/start-redis.ts'
import { beginAuthorization, finishAuthorization } from '../sign-in/authorization-flow.ts'
import { type OAuthFixture, oauthFixture } from '../sign-in/oauth-server.fixtures.ts'
import { createMemoryState } from '../state/memory-state.ts'
import { childProgram } from '../system/child-program.fixtures.ts'
import { createAccountFiles } from './account-files.ts'
import type { AccountRecords } from './account-records.ts'
import { type AccountChange, createAccountStore } from './account-store.ts'
import { signInAs } from './accounts.fixtures.ts'
import type { ReplicaProcessOptions } from './replica-process.fixtures.ts'
import { createSecretBox } from './secret-box.ts'

let folder: string
let records: AccountRecords
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-account-store-'))
  records = createAccountFiles(folder)
})

const key = randomBytes(32)
const account = { person: 'idp alice', server: 'mail', url: 'https://mail.example/mcp' }
const tokens = { access_token: 'access', token_type: 'Bearer', refresh_token: 'refresh' }

function open(changes: Partial<Parameters<typeof createAccountStore>[0]> = {}) {
  const box = createSecretBox({ current: key, previous: [] })
  return createAccountStore({ records, box, state: createMemoryState(), ...changes })
}

describe('createAccountStore', () => {
  it('keeps sign-ins and values of an account next to each other', async () => {
    const store = open()
    expect(await store.read(account)).toBeUndefined()
    await store.change(account, (before) => ({ ...before, values: { KEY: 'x' } }))
    await store.change(account, (before) => ({ ...before, signIn: { tokens } }))
    expect(await store.read(account)).toMatchObject({ values: { KEY: 'x' }, signIn: { tokens } })
    const signIns = store.signInsOf(account.person)
    const mail = { name: account.server, url: account.url }
    expect(await signIns.read(mail)).toEqual({ tokens })
    expect(await store.signInsOf('idp bob').read(mail)).toBeUndefined()
    await signIns.withLock(mail, async (locked) => {
      await locked.read()
      expect(await locked.write({ wantedScope: 'more' })).toBe(true)
    })
    expect(await store.read(account)).toMatchObject({
      values: { KEY: 'x' },
      signIn: { wantedScope: 'more' },
    })
    expect(await store.list(account.person)).toHaveLength(1)
    expect(await store.remove(account)).toBe(true)
    expect(await store.remove(account)).toBe(false)
  })

  it('announces whether an account was replaced or only its token renewed', async () => {
    const store = open()
    const changes: (AccountChange | undefined)[] = []
    await store.onChange((change) => changes.push(change))
    const generation = async () => (await store.read(account))?.generation
    await store.change(account, () => ({ signIn: { tokens } }))
    const first = await generation()
    await store
      .signInsOf(account.person)
      .withLock({ name: 'mail', url: account.url }, (locked) =>
        locked.read().then(() => locked.write({ tokens: { ...tokens, access_token: 'new' } })),
      )
    expect(await generation()).toBe(first)
    await store.change(account, () => ({ signIn: { tokens } }))
    expect(await generation()).not.toBe(first)
    await store.removeAll(account.person)
    expect(changes.map((change) => change?.what)).toEqual([
      'replaced',
      'renewed',
      'replaced',
      'replaced',
    ])
    expect(changes[0]).toEqual({ person: account.person, server: 'mail', what: 'replaced' })
  })

  it('does not overwrite what was written since it was read', async () => {
    const store = open()
    await store.change(account, () => ({ signIn: { tokens } }))
    const mail = { name: 'mail', url: account.url }
    await store.signInsOf(account.person).withLock(mail, async (locked) => {
      await locked.read()
      await store.change(account, () => ({ signIn: { wantedScope: 'connected again' } }))
      expect(await locked.write({ tokens })).toBe(false)
    })
    expect(await store.read(account)).toMatchObject({ signIn: { wantedScope: 'connected again' } })
  })

  it('stores a renewed token although the storage fails for a moment', async () => {
    let failures = 0
    const shaky: AccountRecords = {
      ...records,
      async write(record, replaces) {
        failures++
        // the first one fails before anything is stored, the second one afterwards
        if (failures === 1) throw new Error('gone')
        const isWritten = await records.write(record, replaces)
        if (failures === 2) throw new Error('gone')
        return isWritten
      },
    }
    const store = open({ records: shaky })
    await store.change(account, () => ({ signIn: { tokens } }))
    expect(failures).toBe(3)
    expect(await store.read(account)).toMatchObject({ signIn: { tokens } })
  })

  it('encrypts everything again after the key has changed', async () => {
    await open().change(account, () => ({ signIn: { tokens } }))
    await open().change({ ...account, server: 'wiki' }, () => ({ values: { KEY: 'x' } }))
    const current = randomBytes(32)
    const rotated = open({ box: createSecretBox({ current, previous: [key] }) })
    expect(await rotated.read(account)).toMatchObject({ signIn: { tokens } })
    expect(await rotated.reencrypt()).toEqual({ changed: 2, unreadable: 0 })
    expect(await rotated.reencrypt()).toEqual({ changed: 0, unreadable: 0 })
    const later = open({ box: createSecretBox({ current, previous: [] }) })
    expect(await later.read(account)).toMatchObject({ signIn: { tokens } })
  })

  it('says that an account cannot be decrypted, and does not destroy it', async () => {
    await open().change(account, () => ({ signIn: { tokens } }))
    const other = open({ box: createSecretBox({ current: randomBytes(32), previous: [] }) })
    expect(await other.read(account)).toEqual({ isUnreadable: true })
    await expect(
      other
        .signInsOf(account.person)
        .withLock({ name: 'mail', url: account.url }, (locked) => locked.read()),
    ).rejects.toThrow('The stored credentials for mail cannot be decrypted')
    expect(await other.reencrypt()).toEqual({ changed: 0, unreadable: 1 })
    expect(await open().read(account)).toMatchObject({ signIn: { tokens } })
    await other.change(account, () => ({ signIn: { wantedScope: 'connected again' } }))
    expect(await other.read(account)).toMatchObject({ signIn: { wantedScope: 'connected again' } })
  })
})

describe('a token that several processes use', () => {
  let redis: TestRedis
  let remote: OAuthFixture
  let shared: string
  let replicas: Replica[]
  const children: ChildProcess[] = []
  beforeAll(async () => {
    redis = await startRedis()
    remote = await oauthFixture()
    shared = await mkdtemp(join(tmpdir(), 'toolsearch-account-replicas-'))
    replicas = await startReplicas(2)
  })
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL')
    await remote.close()
    await redis.close()
  })

  async function startReplicas(count: number): Promise<Replica[]> {
    const mail = { name: 'mail', kind: 'http' as const, url: remote.url, headers: {} }
    const redirectUrl = 'https://gateway.example/accounts/callback'
    const { url, pending } = await beginAuthorization(mail, { redirectUrl })
    const back = new URL(await signInAs('alice@mail', url))
    const signIn = await finishAuthorization(mail, pending, back.searchParams)
    const key_ = { ...account, url: remote.url }
    await open({ records: createAccountFiles(shared) }).change(key_, () => ({ signIn }))
    const options: ReplicaProcessOptions = {
      redis: redis.url,
      prefix: `${randomUUID()}:`,
      leaseMs: 1_000,
      folder: shared,
      key: key.toString('base64'),
      person: account.person,
      url: remote.url,
    }
    return Promise.all(Array.from({ length: count }, () => startReplica(options)))
  }

  const renewals = () => remote.asked.filter((each) => each === 'refresh_token').length

  async function startReplica(options: ReplicaProcessOptions): Promise<Replica> {
    const program = join(import.meta.dirname, 'replica-process.fixtures.ts')
    const child = spawn(process.execPath, childProgram(`import ${JSON.stringify(program)}`), {
      // It reads the manifest of the package, relative to this folder.
      cwd: import.meta.dirname,
      env: { ...process.env, REPLICA: JSON.stringify(options) },
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    children.push(child)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    expect((await lines.next()).value).toBe('ready')
    return {
      async call() {
        child.stdin.write('call\n')
        return (await lines.next()).value
      },
      signal: (signal) => void child.kill(signal),
    }
  }

  it('is renewed once', async () => {
    remote.expireAccess()
    const called = 'open_tool was called by alice@mail'
    expect(await Promise.all(replicas.map((replica) => replica.call()))).toEqual([called, called])
    expect(renewals()).toBe(1)
    expect(remote.refused).toEqual([])
  })

  it('is renewed by another process if one freezes, which then uses the new token', async () => {
    const [frozen, other] = replicas
    const renewed = renewals()
    remote.expireAccess()
    let release = () => {}
    remote.trouble.metadataAfter = new Promise<void>((resolve) => {
      release = resolve
    })
    const before = remote.headers.length
    const call = frozen!.call()
    await expect.poll(() => remote.headers.length).toBeGreaterThan(before)
    frozen!.signal('SIGSTOP')
    release()
    const called = 'open_tool was called by alice@mail'
    expect(await other!.call()).toBe(called)
    frozen!.signal('SIGCONT')
    expect(await call).toBe(called)
    expect(await other!.call()).toBe(called)
    expect(await frozen!.call()).toBe(called)
    // the refresh token was used once: a second use could have revoked everything
    expect(renewals()).toBe(renewed + 1)
  })
})

interface Replica {
  /** Calls a tool and resolves to the text of the result. */
  call(): Promise<string>
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void
}
