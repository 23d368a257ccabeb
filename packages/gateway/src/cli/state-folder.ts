import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CommandCall } from './command.ts'

/** Where everything is kept that outlives a command. */
export function stateFolder(env: CommandCall['env']): string {
  return env.TOOLSEARCH_CACHE ?? join(homedir(), '.cache', 'toolsearch')
}
