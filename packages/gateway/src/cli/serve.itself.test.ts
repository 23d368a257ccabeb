import { afterAll, beforeAll, expect, it } from 'vitest'
import { everything, type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  const toolsearch = { command: 'toolsearch', args: ['serve'] }
  gateway = await serving({ mcpServers: { everything, toolsearch } })
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
  const child = gateway.start('serve', '--http', '--port', '0')
  let said = ''
  child.stderr.on('data', (piece) => {
    said += piece
  })
  await expect
    .poll(() => said, { timeout: 30_000 })
    .toContain(`1 of 2 servers failed: toolsearch. `)
  expect(said).toContain(PROBLEM)
}, 60_000)
