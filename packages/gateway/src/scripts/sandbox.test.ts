import { expect, it } from 'vitest'
import { createSandbox } from './sandbox.ts'
import { stripTypes } from './strip-types.ts'

const BOUNDS = {
  timeoutMs: 60_000,
  cpuMs: 20_000,
  memoryMb: 16,
  calls: 1_000,
  parallelCalls: 4,
  chars: 10_000,
  outputChars: 1_000,
}

/** Runs a script whose calls never end, and adds up what leaves the sandbox. */
async function charsThatLeave(source: string) {
  const chars = { logged: 0, sent: 0 }
  const { run } = await createSandbox({
    bounds: BOUNDS,
    onCall(_, name, json) {
      chars.sent += name.length + json.length
    },
    onLog(text) {
      chars.logged += text.length
    },
  })
  const stripped = stripTypes(source)
  const end = 'body' in stripped ? run(stripped.body) : undefined
  return { ...chars, end }
}

it('keeps back what a script logs beyond the limit', async () => {
  const { logged, end } = await charsThatLeave(`
    const text = 'x'.repeat(700)
    for (let n = 0; n < 10_000; n++) console.log(text)
    return 'done'`)
  expect(logged).toBe(1_000)
  expect(end).toMatchObject({ kind: 'returned', text: 'done' })
})

it('ends a script whose calls have more arguments than fit into its memory', async () => {
  const { sent, end } = await charsThatLeave(`
    const text = 'x'.repeat(1_000_000)
    for (let n = 0; n < 100; n++) tools.save({ text })`)
  expect(sent).toBeLessThan(17 * 1024 * 1024)
  expect(end).toMatchObject({
    kind: 'failed',
    error: { message: expect.stringContaining('16 MB') },
  })
})
