import { join } from 'node:path'
import type { AuditConfig } from '../config/team-config.ts'
import type { Database } from '../state/database.ts'
import { fingerprint } from '../system/fingerprint.ts'
import type { AuditStore } from './audit-store.ts'
import { createFileAuditStore } from './file-audit-store.ts'

export interface OpenAuditStoreOptions {
  /** The configuration file: each has a log of its own. */
  readonly file: string
  readonly stateFolder: string
  /** Needed if the log is kept in PostgreSQL. */
  readonly database?: Database | undefined
}

/** Opens the store that the configuration asks for. */
export async function openAuditStore(
  { to, required }: Pick<AuditConfig, 'to' | 'required'>,
  { file, stateFolder, database }: OpenAuditStoreOptions,
): Promise<AuditStore> {
  if (to === 'file') {
    const folder = join(stateFolder, 'audit', fingerprint(file))
    return createFileAuditStore(folder, { isSynced: required })
  }
  if (!database) throw new Error('The audit log needs the database of "state.postgres".')
  const { createPostgresAuditStore } = await import('./postgres-audit-store.ts')
  return createPostgresAuditStore(database)
}
