import { isObject } from '../protocol/json-object.ts'
import type { Database } from '../state/database.ts'
import { withDatabaseLock } from '../state/database-lock.ts'
import { countChange, type RecordChanges } from '../state/record-changes.ts'
import { recordKey } from '../state/record-key.ts'
import type { SignInKey, SignInStore, StoredSignIn } from './sign-in-store.ts'

/** Encrypts what is stored. */
export interface SignInSeal {
  seal(text: string, key: SignInKey): string
  /** Undefined if the text was changed, or belongs to another sign-in. */
  open(sealed: string, key: SignInKey): string | undefined
}

/** Without encryption, a sign-in is stored as it is. */
type StoredText = { readonly sealed: string } | { readonly plain: StoredSignIn }

/** Stores sign-ins in PostgreSQL, encrypted if there is a key. All replicas renew a token once. */
export function createPostgresSignInStore(
  database: Database,
  { changes, seal }: { readonly changes: RecordChanges; readonly seal?: SignInSeal | undefined },
): SignInStore {
  const keyOf = ({ name, url }: SignInKey) => recordKey(name, url)

  async function read(key: SignInKey): Promise<StoredSignIn | undefined> {
    const row = await database.run((queries) =>
      queries
        .selectFrom('toolsearch_sign_ins')
        .select('sign_in')
        .where('key', '=', keyOf(key))
        .executeTakeFirst(),
    )
    return row && unseal(row.sign_in as StoredText, key)
  }

  function unseal(stored: StoredText, key: SignInKey): StoredSignIn | undefined {
    if ('plain' in stored) return stored.plain
    const text = seal?.open(stored.sealed, key)
    const signIn: unknown = text === undefined ? undefined : JSON.parse(text)
    return isObject(signIn) ? signIn : undefined
  }

  /** @param fence of the lock; a later holder of the lock may have written already */
  async function write(key: SignInKey, signIn: StoredSignIn, fence = 0): Promise<boolean> {
    const stored: StoredText = seal
      ? { sealed: seal.seal(JSON.stringify(signIn), key) }
      : { plain: signIn }
    const sign_in = JSON.stringify(stored)
    const isWritten = await database.transaction(async (queries) => {
      const { numInsertedOrUpdatedRows } = await queries
        .insertInto('toolsearch_sign_ins')
        .values({ key: keyOf(key), sign_in, fence })
        .onConflict((conflict) => {
          const update = conflict
            .column('key')
            .doUpdateSet({ sign_in, ...(fence > 0 && { fence }) })
          return fence > 0 ? update.where('toolsearch_sign_ins.fence', '<=', String(fence)) : update
        })
        .executeTakeFirst()
      await countChange(queries, 'sign-ins')
      return numInsertedOrUpdatedRows !== 0n
    })
    changes.announce('sign-ins')
    return isWritten
  }

  return {
    read,
    async write(key, signIn) {
      await write(key, signIn)
    },
    async remove(key) {
      const isRemoved = await database.transaction(async (queries) => {
        const { numDeletedRows } = await queries
          .deleteFrom('toolsearch_sign_ins')
          .where('key', '=', keyOf(key))
          .executeTakeFirst()
        if (numDeletedRows > 0n) await countChange(queries, 'sign-ins')
        return numDeletedRows > 0n
      })
      if (isRemoved) changes.announce('sign-ins')
      return isRemoved
    },
    withLock: (key, task) =>
      withDatabaseLock(database, `sign-in ${keyOf(key)}`, ({ signal, fence }) =>
        task({
          signal,
          read: () => read(key),
          write: async (signIn) => !signal.aborted && write(key, signIn, fence),
        }),
      ),
    onChange: (listener) => changes.subscribe('sign-ins', listener),
  }
}
