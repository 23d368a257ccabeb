import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, expect, it } from 'vitest'
import { childProgram, modulePath } from '../../system/child-program.fixtures.ts'
import { isAlive, until } from '../fixtures/watch.fixtures.ts'

describe('endOnExit', () => {
  it.each([
    ['exits', 'process.exit(0)'],
    ['crashes', 'throw new Error("crash")'],
  ])('ends a child that ignores SIGTERM when our process %s', async (_, end) => {
    const server = join(import.meta.dirname, '../fixtures/faulty-server.mjs')
    const program = `
      const { createStdioTransport } = await import(${JSON.stringify(modulePath('upstreams/process/stdio-transport'))})
      const args = [${JSON.stringify(server)}, '{"ignoreTerm":true}']
      const transport = createStdioTransport({ command: process.execPath, args, env: {} })
      await transport.start()
      console.log(transport.pid)
      process.stdin.once('data', () => { ${end} })`
    const ours = spawn(process.execPath, childProgram(program), {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    const [line] = await once(createInterface({ input: ours.stdout }), 'line')
    const pid = Number(line)
    expect(isAlive(pid)).toBe(true)
    ours.stdin.write('end\n')
    await once(ours, 'exit')
    await until(() => !isAlive(pid))
  })
})
