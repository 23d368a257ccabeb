import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { OwnedSignIns, StoredSignIn } from '../sign-in/sign-in-store.ts'
import type { SharedState } from '../state/shared-state.ts'
import type { AccountKey, AccountRecord, AccountRecords } from './account-records.ts'
import type { SecretBox } from './secret-box.ts'

/** A person's credentials for one server. All of it is secret. */
export interface Account {
  readonly signIn?: StoredSignIn
  /** The person's values for `${person:NAME}`. */
  readonly values?: Readonly<Record<string, string>>
  /** Changes when the account is connected again or its values change, and not with new tokens. */
  readonly generation?: string
  /** Set if something is stored that none of the configured keys can decrypt. */
  readonly isUnreadable?: true
}

/**
 * A change to one account, in any replica. `renewed`: the same account has a new token. `replaced`: it
 * was connected, changed or removed, so that nothing may go on with the old credentials.
 */
export interface AccountChange {
  readonly person: string
  readonly server: string
  readonly what: 'renewed' | 'replaced'
}

/** Everybody's accounts, encrypted at rest. Methods reject if the storage cannot be reached. */
export interface AccountStore {
  read(key: AccountKey): Promise<Account | undefined>
  list(person: string): Promise<readonly StoredAccount[]>
  /** Replaces the credentials of an account; `change` may run several times. */
  change(key: AccountKey, change: (account: Account) => Account): Promise<void>
  /** Resolves to whether there was an account. */
  remove(key: AccountKey): Promise<boolean>
  /** Removes all accounts of a person who left, and resolves to the servers. */
  removeAll(person: string): Promise<readonly string[]>
  /** The sign-ins of one person, for the OAuth code in `sign-in/`. */
  signInsOf(person: string): OwnedSignIns
  /** Encrypts what previous keys have encrypted with the current key. */
  reencrypt(): Promise<{ readonly changed: number; readonly unreadable: number }>
  /**
   * Runs the listener after each change, in this process or another. Undefined if changes may have been
   * missed. Resolves to a function that stops it.
   */
  onChange(listener: (change: AccountChange | undefined) => void): Promise<() => void>
}

interface StoredAccount extends AccountKey {
  readonly account: Account
  readonly updatedAt: number
}

export interface AccountStoreOptions {
  readonly records: AccountRecords
  readonly box: SecretBox
  readonly state: SharedState
  /**
   * Runs one task at a time across the processes that share the records.
   * @default the locks of `state`
   */
  readonly withLock?: SharedState['withLock']
  /** Runs a listener after another process may have changed an account, if `state` is not shared. */
  readonly onForeignChange?: (listener: () => void) => () => void
  readonly now?: () => number
}

/** The stored credentials cannot be decrypted. The message is for people. */
class UnreadableAccountError extends Error {
  override readonly name = 'UnreadableAccountError'
}

const CHANNEL = 'changed:accounts'
const FIELDS = ['signIn', 'values', 'generation'] as const
const WRITE_ATTEMPTS = 4
const FIRST_RETRY_MS = 100

export function createAccountStore({
  records,
  box,
  state,
  withLock = state.withLock,
  onForeignChange,
  now = Date.now,
}: AccountStoreOptions): AccountStore {
  function open(record: AccountRecord): Account {
    const { person, server, url, sealed } = record
    const fields = FIELDS.filter((field) => sealed[field] !== undefined)
    const opened = fields.map((field) => {
      const text = box.open(sealed[field]!, { person, server, url, field })
      return [field, text] as const
    })
    return {
      ...Object.fromEntries(
        opened.flatMap(([field, text]) => (text === undefined ? [] : [[field, JSON.parse(text)]])),
      ),
      ...(opened.some(([, text]) => text === undefined) && { isUnreadable: true }),
    }
  }

  function seal(
    { person, server, url }: AccountKey,
    account: Account,
    updatedAt = now(),
  ): AccountRecord {
    const sealed = Object.fromEntries(
      FIELDS.filter((field) => account[field] !== undefined).map((field) => [
        field,
        box.seal(JSON.stringify(account[field]), { person, server, url, field }),
      ]),
    )
    return { person, server, url, revision: randomUUID(), updatedAt, sealed }
  }

  /**
   * Writes again after a failure: a refresh token may have been used, so that losing its successor
   * would force the person to sign in again.
   */
  async function write(record: AccountRecord, replaces: string | undefined): Promise<boolean> {
    for (let attempt = 1; ; attempt++) {
      try {
        if (await records.write(record, replaces)) return true
        // a write that seemed to fail may have happened
        return attempt > 1 && (await records.read(record))?.revision === record.revision
      } catch (error) {
        if (attempt === WRITE_ATTEMPTS) throw error
        await delay(FIRST_RETRY_MS * 2 ** attempt)
      }
    }
  }

  async function announce(
    { person, server }: AccountKey,
    what: AccountChange['what'],
  ): Promise<void> {
    // a replica that misses it notices the gap
    await state.publish(CHANNEL, JSON.stringify({ person, server, what })).catch(() => {})
  }

  async function read(key: AccountKey): Promise<Account | undefined> {
    const record = await records.read(key)
    return record && open(record)
  }

  return {
    read,
    async list(person) {
      const found = await records.list(person)
      return found.map((record) => {
        const { server, url, updatedAt } = record
        return { person, server, url, updatedAt, account: open(record) }
      })
    },
    async change(key, change) {
      for (;;) {
        const record = await records.read(key)
        const { isUnreadable: _, ...account } = record ? open(record) : {}
        const next = { ...change(account), generation: randomUUID() }
        if (await write(seal(key, next), record?.revision)) break
      }
      await announce(key, 'replaced')
    },
    async remove(key) {
      const wasThere = await records.remove(key)
      await announce(key, 'replaced')
      return wasThere
    },
    async removeAll(person) {
      const found = await records.list(person)
      await records.removeAll(person)
      for (const record of found) await announce(record, 'replaced')
      return [...new Set(found.map(({ server }) => server))]
    },
    signInsOf: (person) => ({
      async read({ name, url }) {
        const account = await read({ person, server: name, url })
        return account?.signIn
      },
      withLock({ name, url }, task) {
        const key = { person, server: name, url }
        return withLock(lockName(key), async ({ signal }) => {
          let record: AccountRecord | undefined
          let account: Account = {}
          return task({
            signal,
            async read() {
              record = await records.read(key)
              account = record ? open(record) : {}
              if (account.isUnreadable) throw new UnreadableAccountError(unreadable(name))
              return account.signIn
            },
            async write(signIn: StoredSignIn) {
              if (signal.aborted) return false
              const next = seal(key, { ...account, signIn }, record?.updatedAt)
              const isWritten = await write(next, record?.revision)
              if (isWritten) await announce(key, 'renewed')
              return isWritten
            },
          })
        })
      },
    }),
    async reencrypt() {
      let changed = 0
      let unreadable = 0
      for await (const record of records.all()) {
        if (Object.values(record.sealed).every(box.isCurrent)) continue
        const account = open(record)
        if (account.isUnreadable) unreadable++
        // if it was written in the meantime, it has the current key
        else if (await write(seal(record, account, record.updatedAt), record.revision)) changed++
      }
      return { changed, unreadable }
    },
    async onChange(listener) {
      const missed = () => listener(undefined)
      const stops = [
        await state.subscribe(CHANNEL, (message) => listener(JSON.parse(message)), missed),
        onForeignChange?.(missed),
      ]
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}

function unreadable(server: string): string {
  return `The stored credentials for ${server} cannot be decrypted, because the key has changed. Connect the account again, or ask your administrator to add the old key to "previousKeys".`
}

/** Without the names, which may be long and contain any character. */
function lockName({ person, server, url }: AccountKey): string {
  const hash = createHash('sha256').update(JSON.stringify([person, server, url]))
  return `account-${hash.digest('hex').slice(0, 32)}`
}
