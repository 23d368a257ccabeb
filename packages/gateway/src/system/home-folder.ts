import { homedir } from 'node:os'

/** The home folder of the user: that of the environment, as `os.homedir()` reads it, or else the user's own. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  return (process.platform === 'win32' ? env.USERPROFILE : env.HOME) || homedir()
}
