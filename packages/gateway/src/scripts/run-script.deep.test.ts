import { afterAll, expect, it } from 'vitest'
import { runScript } from './run-script.ts'
import { createScriptThreads } from './script-threads.ts'

const threads = createScriptThreads()
afterAll(threads.close)

const bounds = {
  timeoutMs: 60_000,
  cpuMs: 20_000,
  memoryMb: 20,
  calls: 50,
  parallelCalls: 4,
  chars: 10_000,
  outputChars: 100_000,
}

it.each([
  ['many buffers', 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))'],
  ['many strings', 'const a = []; for (let n = 0; ; n++) a.push(String(n).repeat(1e5))'],
  ['many arrays', 'const a = []; for (let n = 0; ; n++) a.push(new Array(1e4).fill(n))'],
  ['a map that grows', 'const a = new Map(); for (let n = 0; ; n++) a.set("k" + n, n)'],
  ['functions', 'const a = []; for (let n = 0; ; n++) a.push(() => n)'],
  ['patterns', 'const a = []; for (let n = 0; ; n++) a.push(new RegExp("a" + n))'],
])('stops %s, if they take too much memory', async (_, source) => {
  const { end } = await runScript(threads, { source, bounds, call: async () => ({ data: null }) })
  const message = 'The script needs more than 20 MB of memory, which is the limit.'
  expect(end).toMatchObject({ kind: 'failed', error: { message } })
})
