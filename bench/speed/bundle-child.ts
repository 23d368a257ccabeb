import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const CHILD = fileURLToPath(new URL('./child.ts', import.meta.url))
const SEMANTICS = new URL('../../packages/semantics/src/load-static-embedder.ts', import.meta.url)
  .href

/**
 * Bundles the code of the measuring processes and returns the path. They must run plain JavaScript, as
 * users do: the loader that runs this file names every function when it is created, which makes our
 * sources slower but not the packages we compare with.
 */
export async function bundleChild(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'toolsearch-bench-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'child.mjs')
  await build({
    entryPoints: [CHILD],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@toolsearch/source'],
    // The embedding table is loaded relative to its module.
    define: { 'import.meta.url': JSON.stringify(SEMANTICS) },
    logLevel: 'warning',
  })
  return file
}
