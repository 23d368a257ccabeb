import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { claudeAgentSdk, expectHook } from './claude-agent-sdk.ts'

const forecast = {
  name: 'weather_forecast',
  description: 'Returns the weather forecast of a city',
  inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
  execute: ({ city }: { city?: string }) => `Sunny in ${city}`,
} as const

it('lets an MCP client find and call a tool, and always shows its two own tools', async () => {
  const toolSearch = createToolSearch({ tools: [forecast], activation: 'always' })
  const server = claudeAgentSdk(await toolSearch.session('chat'))
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.instance.connect(far as never)
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(near)
  expect(client.getInstructions()).toContain('weather_forecast')
  const { tools } = await client.listTools()
  expect(tools.map(({ name, _meta }) => [name, _meta])).toEqual(
    ['tool_search', 'call_tool'].map((name) => [name, { 'anthropic/alwaysLoad': true }]),
  )
  const found = await client.callTool({ name: 'tool_search', arguments: { query: 'forecast' } })
  expect(JSON.stringify(found.content)).toContain('Returns the weather forecast')
  const call = { name: 'weather_forecast', arguments: { city: 'Oslo' } }
  const result = await client.callTool({ name: 'call_tool', arguments: call })
  expect(result.content).toEqual([{ type: 'text', text: 'Sunny in Oslo' }])
  await client.close()
})

it('describes a tool that fits a message of the user', async () => {
  const others = ['Sends a letter', 'Plays chess', 'Books a flight'].map((description, at) => ({
    name: `tool_${at}`,
    description,
  }))
  const toolSearch = createToolSearch({ tools: [forecast, ...others], activation: 'always' })
  const [hook] = expectHook(await toolSearch.session('chat')).hooks
  const input = { hook_event_name: 'UserPromptSubmit', prompt: 'the weather forecast of Oslo' }
  const output = await hook!(input as never, undefined, { signal: new AbortController().signal })
  expect(JSON.stringify(output)).toContain('weather_forecast')
})

it('rejects a value that is not a session', () => {
  expect(() => claudeAgentSdk({} as never)).toThrow('pass a session')
})
