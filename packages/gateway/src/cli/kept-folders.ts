import { homedir } from 'node:os'
import { join } from 'node:path'
import type { CommandCall } from './command.ts'

type Env = CommandCall['env']

/** Where things are remembered that can be asked for again. */
export function cacheFolder(env: Env): string {
  return env.TOOLSEARCH_CACHE ?? folder(env.XDG_CACHE_HOME, '.cache')
}

/** Where approvals and sign-ins are: who clears a cache does not mean to lose them. */
export function stateFolder(env: Env): string {
  return env.TOOLSEARCH_CACHE ?? folder(env.XDG_STATE_HOME, join('.local', 'state'))
}

/** Where the sign-ins of this person are, for every command that uses them. */
export function signInFolder(env: Env): string {
  return join(stateFolder(env), 'sign-ins')
}

function folder(base: string | undefined, usual: string): string {
  return join(base || join(homedir(), usual), 'toolsearch')
}
