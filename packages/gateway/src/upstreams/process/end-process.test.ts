import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAlive, until } from '../fixtures/watch.fixtures.ts'

describe('endWithUs', () => {
  it.each([
    ['ends by itself', 'process.exit(0)'],
    ['crashes', 'throw new Error("ours")'],
  ])('ends a child when our process %s', async (_, how) => {
    const here = import.meta.dirname
    const program = `
      const { createStdioTransport } = await import(${JSON.stringify(join(here, 'stdio-transport.ts'))})
      const args = [${JSON.stringify(join(here, '../fixtures/faulty-server.mjs'))}, '{"ignoreTerm":true}']
      const transport = createStdioTransport({ command: process.execPath, args, env: {} })
      await transport.start()
      console.log(transport.pid)
      setTimeout(() => { ${how} }, 100)`
    const args = [
      '--import',
      'tsx',
      '--conditions=@toolsearch/source',
      '--input-type=module',
      '-e',
      program,
    ]
    const ours = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    let said = ''
    ours.stdout.on('data', (chunk) => {
      said += chunk
    })
    await new Promise((resolve) => ours.once('exit', resolve))
    const pid = Number(said)
    expect(pid).toBeGreaterThan(0)
    await until(() => !isAlive(pid))
  })
})
