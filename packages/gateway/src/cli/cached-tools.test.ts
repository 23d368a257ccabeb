import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recorded, type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
let starts = ''
let counted: object

beforeAll(async () => {
  gateway = await serving({ mcpServers: {} })
  starts = join(gateway.folder, 'starts')
  writeFileSync(starts, '')
  // Counts how often the server is started.
  const wrapper = join(gateway.folder, 'wrapper.mjs')
  const { command, args } = recorded
  writeFileSync(
    wrapper,
    `import { appendFileSync } from 'node:fs'
appendFileSync(${JSON.stringify(starts)}, 'x')
await import(${JSON.stringify(args[0])})`,
  )
  counted = { command, args: [wrapper] }
  await gateway.write({ mcpServers: { counted } })
  await gateway.run('tools')
})
afterAll(() => gateway.end())

const started = () => readFileSync(starts, 'utf8').length

describe('cached tools', () => {
  it.each([['search', 'sum'], ['tools'], ['cost']])(
    '%s answers without starting a server, and says how old the tools are',
    async (...line) => {
      const before = started()
      const { code, out, err } = await gateway.run(...line)
      expect(code).toBe(0)
      expect(out).toContain('counted')
      expect(err).toMatch(/^Tools from cache, .+ old\. Use --refresh to reconnect\.\n$/)
      expect(started()).toBe(before)
    },
  )

  it('--refresh connects to every server', async () => {
    const before = started()
    const { err } = await gateway.run('search', 'sum', '--refresh')
    expect(err).toMatch(/^counted: \d+ tools\n$/m)
    expect(started()).toBe(before + 1)
  })

  it('prints nothing but JSON with --json', async () => {
    const { out, err } = await gateway.run('search', 'sum', '--json')
    expect(err).toBe('')
    expect(JSON.parse(out).hits).not.toEqual([])
  })

  it('connects only to servers that were never seen, and names the ones it waits for', async () => {
    const before = started()
    const end = join(gateway.folder, 'end')
    const program = `setInterval(() => { if (require('fs').existsSync(${JSON.stringify(end)})) process.exit(1) }, 20)`
    const silent = { command: process.execPath, args: ['-e', program] }
    await gateway.write({ mcpServers: { counted, fresh: recorded, silent } })
    const command = gateway.start('tools')
    await expect.poll(() => command.err).toMatch(/fresh: \d+ tools \(waiting for silent\)/)
    writeFileSync(end, '')
    const { code, err } = await command.ended
    expect(code).toBe(0)
    expect(err).toMatch(/^silent: failed: /m)
    expect(err).not.toContain('counted:')
    expect(started()).toBe(before)
    // The server that failed delays only the first command.
    const again = await gateway.run('tools')
    expect(again.code).toBe(0)
    expect(again.err).toMatch(
      /^silent: failed less than a minute ago\. Use --refresh to try again\.$/m,
    )
    expect(again.err).not.toContain('silent: failed:')
  })

  it.each([
    [['search', 'x', '--ranker', 'magic'], 'There is no ranker "magic"'],
    [['eval', '--ranker', 'magic', '-q', 'queries.jsonl'], 'There is no ranker "magic"'],
    [['search', 'x', '--limit', '0'], 'Invalid --limit "0"'],
    [['search', 'x', '--limt', '3'], 'There is no option --limt. Did you mean --limit?'],
  ])('rejects %j before it connects to anything', async (line, message) => {
    appendFileSync(join(gateway.folder, 'queries.jsonl'), '{"query":"x","relevant":[]}\n')
    const { code, err } = await gateway.run(...line)
    expect(code).toBe(2)
    expect(err).toContain(message)
    expect(err).not.toContain('silent')
  })
})
