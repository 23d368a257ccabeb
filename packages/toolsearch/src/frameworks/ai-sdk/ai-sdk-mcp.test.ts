import { createRequire } from 'node:module'
import { createMCPClient, type MCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { generateText, isStepCount, type ToolSet } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createToolSearch } from '../../index.ts'
import { lastResults, scriptedModel, search, sentNames } from './ai-sdk.fixtures.ts'
import { aiSdk } from './index.ts'

const require = createRequire(import.meta.url)
const server = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')

describe('aiSdk with the tools of an MCP server', () => {
  let client: MCPClient
  beforeAll(async () => {
    const transport = new StdioTransport({
      command: process.execPath,
      args: [server, 'stdio'],
      stderr: 'ignore',
    })
    client = await createMCPClient({ transport, clientName: 'everything' })
  })
  afterAll(() => client.close())

  const fetchTools = (): Promise<ToolSet> => client.tools()

  it('finds, checks and runs the tools', async () => {
    const toolSearch = createToolSearch({ activation: 'always' })
    const model = scriptedModel(
      [search('add two numbers')],
      [{ name: 'get-sum', input: { a: 'one', b: 2 } }],
      [{ name: 'get-sum', input: { a: 1, b: 2 } }],
      'Done.',
    )
    const tools = await fetchTools()
    const session = await toolSearch.session('a')
    const { steps } = await generateText({
      model,
      prompt: 'What is one and two?',
      ...aiSdk(session, { tools }),
      stopWhen: isStepCount(10),
    })
    expect(sentNames(model)[0]).toEqual(['tool_search', 'call_tool'])
    expect(sentNames(model)[1]).toEqual(sentNames(model)[0])
    expect(JSON.stringify(steps[1]!.content)).toContain('must be number, not string')
    expect(lastResults(model)[0]).toContain('3')
    expect(toolSearch.catalogue.size).toBe(0)
  })

  it('sends the same list after fetching the tools again', async () => {
    const toolSearch = createToolSearch({ activation: 'always' })
    const session = await toolSearch.session('a')
    const requests: string[] = []
    for (const turn of [1, 2]) {
      const model = scriptedModel([search('select:echo,get-env')], 'Done.')
      const tools = await fetchTools()
      await generateText({
        model,
        prompt: `Turn ${turn}`,
        ...aiSdk(session, { tools }),
        stopWhen: isStepCount(10),
      })
      requests.push(JSON.stringify(model.doGenerateCalls.at(-1)!.tools))
    }
    expect(requests[1]).toBe(requests[0])
  })
})
