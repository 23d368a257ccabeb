import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

const script = fileURLToPath(new URL('one-off-tools.fixtures.ts', import.meta.url))
const MEGABYTE = 2 ** 20

let measured: Record<string, { grown: number; size: number; isUnchanged: boolean }>

/** Each set of tools holds 80 kB, so 600 sets that are not freed would take 48 MB. */
beforeAll(async () => {
  const args = ['--expose-gc', '--conditions=@toolsearch/source', '--import']
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...args,
    import.meta.resolve('tsx'),
    ...[script, '200', '800'],
  ])
  measured = JSON.parse(stdout)
}, 600_000)

describe('one-off sets of tools', () => {
  it.each([
    ['tools', 'conversations with tools of their own'],
    ['withTools', 'sets of withTools'],
    ['aiSdk', 'sets of aiSdk'],
    ['embedder', 'sets whose vectors never arrive'],
    ['closed', 'closed sessions that the program keeps'],
  ])('are freed and leave the shared catalogue as it was: %s (%s)', (kind) => {
    const { grown, ...catalogue } = measured[kind]!
    expect(grown).toBeLessThan(20 * MEGABYTE)
    expect(catalogue).toEqual({ size: 10, isUnchanged: true })
  })
})
