import { afterAll, beforeAll, expect, it } from 'vitest'
import { recorded, type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  const toolsearch = { command: 'toolsearch', args: ['serve'] }
  gateway = await serving({ mcpServers: { everything: recorded, toolsearch } })
})
afterAll(() => gateway.end())

const PROBLEM = 'Server "toolsearch" starts this gateway itself. Remove it.'

it('doctor reports a server that starts this gateway itself, and checks the others', async () => {
  const { code, out } = await gateway.run('doctor')
  expect(code).toBe(1)
  expect(out).toContain(PROBLEM)
  expect(out).toContain('✓ everything')
}, 60_000)

it('serve reports a server that starts this gateway itself, and does not start it', async () => {
  const command = gateway.start('serve', '--http', '--port', '0')
  await expect
    .poll(() => command.err, { timeout: 30_000 })
    .toContain(`1 of 2 servers failed: toolsearch. `)
  expect(command.err).toContain(PROBLEM)
}, 60_000)
