import type { AccountRecords } from './account-records.ts'
import type { SecretBox } from './secret-box.ts'

/** A look at some of them shows whether the key is wrong. */
const MAX_READ = 1_000

/**
 * Says that stored credentials were encrypted with a key that is not configured. Undefined if there are none.
 * Rejects if the storage cannot be reached.
 */
export async function unreadableAccounts(
  records: Pick<AccountRecords, 'all'>,
  box: Pick<SecretBox, 'hasKeyOf'>,
): Promise<string | undefined> {
  let read = 0
  let unreadable = 0
  for await (const { sealed } of records.all()) {
    if (Object.values(sealed).some((text) => !box.hasKeyOf(text))) unreadable += 1
    if (++read >= MAX_READ) break
  }
  if (unreadable === 0) return undefined
  const count = unreadable === 1 ? '1 stored account was' : `${unreadable} stored accounts were`
  return (
    `${count} encrypted with another key than the one in toolsearch.encryption, so nobody can use them. ` +
    'Restore the earlier key, or add it to toolsearch.encryption.previousKeys and run `toolsearch accounts reencrypt`.'
  )
}
