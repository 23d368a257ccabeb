import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleProgram } from '../../../testing/bundle-program.ts'

const MEGABYTE = 2 ** 20

let measured: Record<string, { grown: number; size: number; isUnchanged: boolean }>

/** Each set of tools holds 0.4 MB, so 15 sets that are not freed would take 6 MB. */
beforeAll(async () => {
  const script = `${import.meta.dirname}/one-off-tools.fixtures.ts`
  const args = ['--expose-gc', '--input-type=module', '-', '10', '25']
  const running = promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname })
  running.child.stdin!.end(bundleProgram(`import ${JSON.stringify(script)}`))
  const { stdout } = await running
  measured = JSON.parse(stdout)
})

describe('one-off sets of tools', () => {
  it.each([
    ['tools', 'conversations with tools of their own'],
    ['withTools', 'sets of withTools'],
    ['aiSdk', 'sets of aiSdk'],
    ['embedder', 'sets whose vectors never arrive'],
    ['closed', 'closed sessions that the program keeps'],
  ])('are freed and leave the shared catalogue as it was: %s (%s)', (kind) => {
    const { grown, ...catalogue } = measured[kind]!
    expect(grown).toBeLessThan(3 * MEGABYTE)
    expect(catalogue).toEqual({ size: 10, isUnchanged: true })
  })
})
