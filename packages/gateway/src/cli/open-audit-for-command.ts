import type { AuditStore } from '../audit/audit-store.ts'
import { openAuditStore } from '../audit/open-audit-store.ts'
import { openRecords } from '../open-records.ts'
import { stateFolder } from '../system/data-folders.ts'
import { type ConfigCall, findConfig } from './find-config.ts'

/** The audit log of the gateways with the command's configuration file. Needs no running gateway. */
export interface AuditForCommand {
  readonly store: AuditStore
  /** Whether gateways record anything. */
  readonly isOn: boolean
  close(): Promise<void>
}

/**
 * @throws UsageError if the configuration is invalid
 * @throws DatabaseUnavailableError
 */
export async function openAuditForCommand(call: ConfigCall): Promise<AuditForCommand> {
  const { file, config } = await findConfig(call, { needsServers: false })
  const folder = stateFolder(call.env)
  const { audit, state } = config
  const settings = audit ?? { to: state.postgres === undefined ? 'file' : 'postgres' }
  const records =
    settings.to === 'postgres'
      ? await openRecords({ state }, { file, stateFolder: folder })
      : undefined
  const postgres = records?.postgres?.audit
  const store = openAuditStore(settings, { file, stateFolder: folder, postgres })
  return {
    store,
    isOn: audit !== undefined,
    async close() {
      await store.close()
      await records?.close()
    },
  }
}
