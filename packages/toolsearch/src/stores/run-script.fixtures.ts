import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { bundleProgram } from '../../../../testing/bundle-program.ts'

const SOURCE = join(import.meta.dirname, '..')

/**
 * Runs a script in another process. It can import our modules from `SOURCE`, the folder of the library's
 * source: `import(SOURCE + '/toolsearch.ts')`.
 */
export function runScript(
  script: string,
  env: Readonly<Record<string, string>>,
): ChildProcessByStdio<Writable, Readable, null> {
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(bundleProgram(script.replaceAll("import(SOURCE + '", `import('${SOURCE}`)))
  return child
}
