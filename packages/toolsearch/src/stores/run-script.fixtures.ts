import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Runs a script in another process, with the folder of the library's source in `SOURCE`. */
export function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
): ChildProcessByStdio<null, Readable, null> {
  return spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, SOURCE: join(import.meta.dirname, '..'), ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
