import { join } from 'node:path'
import { createAccountFiles } from './accounts/account-files.ts'
import type { GatewayConfig } from './config/gateway-config.ts'
import { createFileKeyStore } from './identity/file-key-store.ts'
import { createApprovalStore, NO_APPROVAL_STORE } from './offering/approvals/approval-store.ts'
import { createSkillTextFiles } from './offering/approvals/skill-texts.ts'
import type { OpenRecordsOptions, Records } from './records.ts'
import { createSignInStore } from './sign-in/sign-in-store.ts'
import { fingerprint } from './system/fingerprint.ts'

/**
 * Opens the records of a gateway.
 *
 * @throws DatabaseUnavailableError
 * @throws DatabaseTooNewError
 * @throws EncryptionKeyError
 */
export async function openRecords(
  config: Pick<GatewayConfig, 'state' | 'encryption'>,
  options: OpenRecordsOptions,
): Promise<Records> {
  const { file, stateFolder } = options
  if (config.state.postgres !== undefined) {
    const { openPostgresRecords } = await import('./open-postgres-records.ts')
    const given = { ...options, encryption: config.encryption }
    return openPostgresRecords(config.state.postgres, given).catch((error) => {
      const { code, message } = error as { code?: unknown; message: string }
      if (options.isOptional && code === 'database_unavailable') {
        return { ...NO_RECORDS, unavailable: message }
      }
      if (options.isOptional && code === 'invalid_encryption_key') return NO_RECORDS
      throw error
    })
  }
  if (stateFolder === false) return NO_RECORDS
  const fileIn = (folder: string) => join(stateFolder, folder, `${fingerprint(file)}.json`)
  return {
    approvals: createApprovalStore(fileIn('approvals')),
    skillTexts: createSkillTextFiles(join(stateFolder, 'skill-texts', fingerprint(file))),
    signIns: createSignInStore(join(stateFolder, 'sign-ins')),
    keys: createFileKeyStore(fileIn('keys')),
    accounts: createAccountFiles(join(stateFolder, 'accounts', fingerprint(file))),
    async openUses() {
      const { createFileLearningStore } = await import('toolsearch/file-store')
      return createFileLearningStore({ folder: join(stateFolder, 'learned', fingerprint(file)) })
    },
    close: async () => {},
  }
}

const NO_RECORDS: Records = {
  approvals: NO_APPROVAL_STORE,
  skillTexts: undefined,
  signIns: {
    read: async () => undefined,
    write: async () => {},
    remove: async () => false,
    withLock: (_, task) => task({ read: async () => undefined, write: async () => true }),
    onChange: () => () => {},
  },
  keys: undefined,
  accounts: undefined,
  openUses: async () => undefined,
  close: async () => {},
}
