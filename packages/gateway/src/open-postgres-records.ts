import { readEncryptionKeys } from './accounts/encryption-keys.ts'
import { createPostgresAccountRecords } from './accounts/postgres-account-records.ts'
import { createSecretBox } from './accounts/secret-box.ts'
import { createPostgresAuditStore } from './audit/postgres-audit-store.ts'
import type { EncryptionConfig } from './config/team-config.ts'
import { createPostgresKeyStore } from './identity/postgres-key-store.ts'
import { createPostgresHistoryStore } from './inspection/history/postgres-history-store.ts'
import { createPostgresSavedQueries } from './inspection/postgres-saved-queries.ts'
import { createPostgresApprovalStore } from './offering/approvals/postgres-approval-store.ts'
import { createPostgresSkillTexts } from './offering/approvals/postgres-skill-texts.ts'
import { createPostgresUses } from './offering/postgres-uses.ts'
import type { OpenRecordsOptions, Records } from './records.ts'
import { createPostgresSignInStore, type SignInSeal } from './sign-in/postgres-sign-in-store.ts'
import { withDatabaseLock } from './state/database-lock.ts'
import { openDatabase } from './state/open-database.ts'
import { countChange, watchRecords } from './state/record-changes.ts'

export interface OpenPostgresRecordsOptions extends OpenRecordsOptions {
  readonly encryption: EncryptionConfig | undefined
}

const POSTGRES_GONE = 'PostgreSQL cannot be used. The gateway keeps trying.'
const POSTGRES_BACK = 'PostgreSQL can be used again.'

/** Opens records in PostgreSQL. Loads `pg` and `kysely`: import this module only if they are needed. */
export async function openPostgresRecords(
  url: string,
  { stateFolder, state, encryption, onWarning }: OpenPostgresRecordsOptions,
): Promise<Records> {
  const seal = encryption && (await openSeal(encryption, stateFolder))
  const database = await openDatabase(url, {
    onAvailable: (isAvailable) =>
      isAvailable ? onWarning?.(POSTGRES_BACK, 'info') : onWarning?.(POSTGRES_GONE, 'error'),
  })
  const changes = watchRecords(database, { state })
  return {
    approvals: createPostgresApprovalStore(database, changes),
    skillTexts: createPostgresSkillTexts(database),
    signIns: createPostgresSignInStore(database, { changes, seal }),
    keys: createPostgresKeyStore(database),
    accounts: createPostgresAccountRecords(database),
    openUses: async () => createPostgresUses(database),
    postgres: {
      audit: createPostgresAuditStore(database),
      database,
      savedQueries: createPostgresSavedQueries(database),
      openHistory: (options) => createPostgresHistoryStore(database, options),
      withLock: (name, task) => withDatabaseLock(database, name, task),
      onAccountsChanged: (listener) => changes.subscribe('accounts', listener),
      async announceForgotten() {
        await database.run((queries) => countChange(queries, 'uses'))
        changes.announce('uses')
      },
      onForgotten: (listener) => changes.subscribe('uses', listener),
    },
    async close() {
      changes.close()
      await database.close()
    },
  }
}

/** Seals sign-ins that apply to everybody like those of people, but as nobody's. */
async function openSeal(
  encryption: EncryptionConfig,
  stateFolder: string | false,
): Promise<SignInSeal> {
  const box = createSecretBox(await readEncryptionKeys(encryption, { stateFolder, isShared: true }))
  const ownerOf = ({ name, url }: { name: string; url: string }) => ({
    person: '',
    server: name,
    url,
    field: 'shared sign-in',
  })
  return {
    seal: (text, key) => box.seal(text, ownerOf(key)),
    open: (sealed, key) => box.open(sealed, ownerOf(key)),
  }
}
