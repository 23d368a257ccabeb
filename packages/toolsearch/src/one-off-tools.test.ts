import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('one-off-tools.fixtures.ts', import.meta.url))
const MEGABYTE = 2 ** 20

/** Each set of tools holds 80 kB, so 2,000 sets that are not freed would take 160 MB. */
async function measure(kind: string, warmUp: number, total: number) {
  const args = ['--expose-gc', '--conditions=@toolsearch/source', '--import']
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...args,
    import.meta.resolve('tsx'),
    ...[script, kind, String(warmUp), String(total)],
  ])
  return JSON.parse(stdout) as { before: number; after: number; size: number; isUnchanged: boolean }
}

describe('one-off sets of tools', () => {
  it.each([
    ['tools', 'conversations with tools of their own', 300, 2_300],
    ['withTools', 'sets of withTools', 300, 2_300],
    ['aiSdk', 'sets of aiSdk', 300, 2_300],
    ['embedder', 'sets whose vectors never arrive', 300, 2_300],
    ['closed', 'closed sessions that the program keeps', 300, 2_300],
  ])(
    'are freed and leave the shared catalogue as it was: %s (%s)',
    async (kind, _, warmUp, total) => {
      const { before, after, size, isUnchanged } = await measure(kind, warmUp, total)
      expect(after - before).toBeLessThan(20 * MEGABYTE)
      expect({ size, isUnchanged }).toEqual({ size: 10, isUnchanged: true })
    },
    600_000,
  )
})
