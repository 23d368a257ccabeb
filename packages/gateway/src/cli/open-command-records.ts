import { openRecords } from '../open-records.ts'
import type { Records } from '../records.ts'
import { stateFolder } from '../system/data-folders.ts'
import { type ConfigCall, findConfig } from './find-config.ts'

/**
 * Opens the records of the gateways with the command's configuration, but not what is encrypted in them: that
 * would need the key. @throws UsageError
 */
export async function openCommandRecords(call: ConfigCall): Promise<Records> {
  const { file, config } = await findConfig(call, { needsServers: false })
  const { state } = config
  return openRecords({ state }, { file, stateFolder: stateFolder(call.env) })
}
