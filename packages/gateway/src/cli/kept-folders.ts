import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CommandCall } from './command.ts'

type Env = CommandCall['env']

/** The folder for data that can be fetched again. */
export function cacheFolder(env: Env): string {
  return env.TOOLSEARCH_CACHE ?? folder(env.XDG_CACHE_HOME, '.cache')
}

/** The folder for approvals and sign-ins, which must survive clearing the cache. */
export function stateFolder(env: Env): string {
  return env.TOOLSEARCH_CACHE ?? folder(env.XDG_STATE_HOME, join('.local', 'state'))
}

/** The folder of the sign-ins, shared by all commands. */
export function signInFolder(env: Env): string {
  return join(stateFolder(env), 'sign-ins')
}

function folder(base: string | undefined, defaultBase: string): string {
  return join(base || join(homedir(), defaultBase), 'toolsearch')
}
