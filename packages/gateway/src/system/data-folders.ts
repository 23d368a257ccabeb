import { homedir } from 'node:os'
import { join } from 'node:path'

type Env = Readonly<Record<string, string | undefined>>

/** The home folder of the user: that of the environment, as `os.homedir()` reads it, or else the user's own. */
export function homeFolder(env: Env): string {
  return (process.platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir()
}

/** Where to store data that can be fetched again. */
export function cacheFolder(env: Env): string {
  return env.TOOLSEARCH_CACHE || folder(env, env.XDG_CACHE_HOME, '.cache')
}

/** Where to store approvals, sign-ins and history, which must survive clearing the cache. */
export function stateFolder(env: Env): string {
  return env.TOOLSEARCH_CACHE || folder(env, env.XDG_STATE_HOME, join('.local', 'state'))
}

/** Contains a folder for each configuration file. */
export function historyFolder(env: Env): string {
  return join(stateFolder(env), 'history')
}

/** Where to store the previous content of files that the gateway has edited. */
export function undoFolder(env: Env): string {
  return join(stateFolder(env), 'undo')
}

/** Where gateways that are running list themselves. */
export function runningFolder(env: Env): string {
  return join(stateFolder(env), 'running')
}

function folder(env: Env, base: string | undefined, fallback: string): string {
  return join(base || join(homeFolder(env), fallback), 'toolsearch')
}
