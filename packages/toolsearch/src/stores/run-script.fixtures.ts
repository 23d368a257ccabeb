import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { buildSync } from 'esbuild'

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
  child.stdin.end(bundle(script))
  return child
}

const bundles = new Map<string, Uint8Array>()

/** Node 20 runs no TypeScript, and a loader in each process would take much longer than this. */
function bundle(script: string): Uint8Array {
  const known = bundles.get(script)
  if (known) return known
  const { outputFiles } = buildSync({
    stdin: {
      contents: script.replaceAll("import(SOURCE + '", `import('${SOURCE}`),
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    write: false,
  })
  const { contents } = outputFiles[0]!
  bundles.set(script, contents)
  return contents
}
