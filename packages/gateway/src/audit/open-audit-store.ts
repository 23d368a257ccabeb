import { join } from 'node:path'
import type { AuditConfig } from '../config/team-config.ts'
import { fingerprint } from '../system/fingerprint.ts'
import type { AuditStore } from './audit-store.ts'
import { createFileAuditStore } from './file-audit-store.ts'

export interface OpenAuditStoreOptions {
  /** The configuration file: each has a log of its own. */
  readonly file: string
  readonly stateFolder: string
  /** The log in PostgreSQL, if there is a database. */
  readonly postgres?: AuditStore | undefined
}

/** Opens the store that the configuration asks for. */
export function openAuditStore(
  { to }: Pick<AuditConfig, 'to'>,
  { file, stateFolder, postgres }: OpenAuditStoreOptions,
): AuditStore {
  if (to === 'file') {
    return createFileAuditStore(join(stateFolder, 'audit', fingerprint(file)))
  }
  if (!postgres) throw new Error('The audit log needs the database of "state.postgres".')
  return postgres
}
