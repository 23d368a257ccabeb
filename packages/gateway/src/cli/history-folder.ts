import { join } from 'node:path'
import { historyFolder } from '../system/data-folders.ts'
import { fingerprint } from '../system/fingerprint.ts'
import type { CommandCall } from './command.ts'

/** Where the history of the gateways with this configuration file is. */
export function historyFolderOf(configFile: string, env: CommandCall['env']): string {
  return join(historyFolder(env), fingerprint(configFile))
}
