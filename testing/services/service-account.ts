import { execFileSync } from 'node:child_process'
import { accessSync, chownSync, constants, mkdtempSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { currentRun } from '../temporary-files/current-run.ts'

/** The user that a server runs as. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Another user for servers that refuse to run as root, or undefined if this process is not root. */
export function findAccount(): Account | undefined {
  if (process.platform === 'win32' || userInfo().uid !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const idOf = (option: string) =>
        Number(execFileSync('id', [option, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: idOf('-u'), gid: idOf('-g') }
    } catch {
      // No such user.
    }
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody".')
}

/**
 * Creates a folder for the data of a server, where the account can reach it: not even the folder for
 * temporary files need be open to it.
 */
export function createServiceFolder(name: string, account: Account | undefined): string {
  const parents = [currentRun()?.folder ?? tmpdir(), '/tmp', '/var/tmp']
  const parent =
    account === undefined ? parents[0] : parents.find((folder) => canEnter(folder, account))
  if (parent === undefined) {
    throw new Error(
      `The user with the ID ${account?.uid} can enter none of ${parents.join(', ')}. Set TMPDIR to a folder that everyone can enter.`,
    )
  }
  const folder = mkdtempSync(join(parent, `toolsearch-${name}-`))
  if (account !== undefined) chownSync(folder, account.uid, account.gid)
  return folder
}

/** Whether an account can reach a folder: every folder above it must be executable for the account. */
function canEnter(folder: string, { uid, gid }: Account): boolean {
  try {
    accessSync(folder, constants.W_OK)
  } catch {
    return false
  }
  for (let path = folder; ; path = dirname(path)) {
    const stats = statSync(path)
    const bit = stats.uid === uid ? 0o100 : stats.gid === gid ? 0o010 : 0o001
    if ((stats.mode & bit) === 0) return false
    if (path === dirname(path)) return true
  }
}
