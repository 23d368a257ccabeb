import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../../packages/gateway/src/config/read-config.ts'
import { checkProperty } from '../deep.ts'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
let member: string
beforeAll(async () => {
  rig = await startRig({ settings: { profiles: { sales: {} } } })
  member = await rig.key('member')
})
afterAll(() => rig.close())

const VALID = `{
  // Servers of everybody.
  "mcpServers": {
    "other": { "command": "no-such-command", "args": ["\\u00e9"], "env": { "A": "\${HOME}" } },
  },
  "toolsearch": { "mode": "search", "profiles": { "sales": { "allow": ["other/*"] } } },
}
`
const name = fc.constantFrom(
  '__proto__',
  'constructor',
  'toString',
  'mcpServers',
  'toolsearch',
  '',
  '\0',
  '\u202e',
)
const json = fc.oneof(
  fc.json(),
  fc
    .tuple(
      fc.constantFrom('[', '{"a":', '{"mcpServers":', '/*', '"'),
      fc.integer({ min: 1, max: 50_000 }),
    )
    .map(([part, times]) => part.repeat(times)),
  fc
    .integer({ min: 900_000, max: 1_100_000 })
    .map((length) => `{"mcpServers":{"${'x'.repeat(length)}":{}}}`),
  fc
    .integer({ min: 500, max: 20_000 })
    .map((count) => `{"mcpServers":{${'"a":{"url":1},'.repeat(count)}}}`),
)
const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  json,
  fc.nat(VALID.length).map((end) => VALID.slice(0, end)),
  fc
    .tuple(fc.nat(VALID.length), fc.nat(20), fc.string())
    .map(([at, length, other]) => VALID.slice(0, at) + other + VALID.slice(at + length)),
  fc
    .tuple(name, json)
    .map(([key, value]) => VALID.replace('{', `{${JSON.stringify(key)}: ${value},`)),
  fc
    .tuple(name, json)
    .map(([key, value]) =>
      VALID.replace('"other": {', `"other": {${JSON.stringify(key)}: ${value},`),
    ),
  fc
    .tuple(name, json)
    .map(([key, value]) =>
      VALID.replace('"toolsearch": {', `"toolsearch": {${JSON.stringify(key)}: ${value},`),
    ),
)
const invalid = text.filter(
  (text) => 'problems' in readConfig(text, { file: 'x', env: { HOME: '' } }),
)

it('a running gateway applies nothing of an invalid file, and goes on', async () => {
  const file = join(rig.served.folder, 'toolsearch.json')
  const [command] = rig.commands
  const tools = async () => (await rig.rpc('tools/list', {}, { as: member })).text
  const before = await tools()
  let last = ''
  await checkProperty(
    fc.asyncProperty(fc.oneof(invalid, fc.uint8Array({ maxLength: 500 })), async (content) => {
      const seen = command!.err.length
      const bytes = Buffer.from(content)
      if (
        bytes.equals(Buffer.from(last)) ||
        !('problems' in readConfig(bytes.toString(), { file: 'x', env: {} }))
      )
        return
      last = bytes.toString()
      await writeFile(file, bytes)
      await expect.poll(() => command!.err.slice(seen)).toMatch(/toolsearch\.json:\d+:\d+/)
      expect(await tools()).toBe(before)
    }),
    { deepCases: 60 },
  )
  await rig.configure({ mode: 'search' })
  expect(await tools()).not.toBe(before)
})

it('a problem in any text says where it is and what to do', async () => {
  await checkProperty(
    fc.property(invalid, (text) => {
      const result = readConfig(text, { file: 'x.json', env: {} })
      const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)
      const problems = 'problems' in result ? result.problems : []
      expect(problems.length).toBeGreaterThan(0)
      for (const { line, column, message, fix } of problems) {
        expect(column).toBeGreaterThan(0)
        expect(column - 1).toBeLessThanOrEqual(lines[line - 1]?.length ?? -1)
        expect(message.length + fix.length).toBeLessThan(10_000)
        expect([message, fix]).not.toContain('')
      }
    }),
    { deepCases: 800 },
  )
})
