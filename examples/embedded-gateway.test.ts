import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { runAgent } from './embedded-gateway.ts'
import { scriptedModel } from './scripted-model.ts'

const { resolve } = createRequire(import.meta.url)
const everything = join(
  dirname(resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)

it('finds a tool of an MCP server with tool_search and calls it', async () => {
  const config = { mcpServers: { everything: { command: process.execPath, args: [everything] } } }
  const sum = { name: 'everything__get-sum', arguments: { a: 2, b: 40 } }
  const model = scriptedModel([
    { text: '', calls: [{ name: 'tool_search', arguments: { query: 'add two numbers' } }] },
    { text: '', calls: [{ name: 'call_read_tool', arguments: sum }] },
    { text: '2 + 40 = 42', calls: [] },
  ])

  const messages = await runAgent(config, 'What is 2 + 40?', model)

  const [, , found, , called, answer] = messages
  expect(found?.content).toContain('"everything__get-sum"')
  expect(called?.content).toContain('42')
  expect(answer).toEqual({ role: 'assistant', content: '2 + 40 = 42' })
})
