import Anthropic from '@anthropic-ai/sdk'
import { anthropicMessages, inProcessServer } from 'toolsearch-checking-server'
import { expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { sampleTools } from '../provider.fixtures.ts'
import { anthropic } from './anthropic.ts'
import { mcpToolset } from './mcp-toolset.ts'

it('mcpToolset defers the tools of a server except those that are always loaded or denied', () => {
  expect(mcpToolset({ server: 'calendar', alwaysLoad: ['list'], deny: ['wipe'] })).toEqual({
    type: 'mcp_toolset',
    mcp_server_name: 'calendar',
    default_config: { defer_loading: true },
    configs: { list: { defer_loading: false }, wipe: { enabled: false } },
  })
  expect(mcpToolset({ server: 'calendar' })).not.toHaveProperty('configs')
})

it('sends a toolset with the native search and the beta header', async () => {
  const server = inProcessServer({ service: anthropicMessages() })
  try {
    const client = new Anthropic({ apiKey: 'key', baseURL: server.url, maxRetries: 0 })
    const session = await createToolSearch().session('a')
    const adapter = anthropic<Anthropic.Beta.BetaMessageParam>(session, {
      model: 'claude-opus-5',
      toolsets: [mcpToolset({ server: 'calendar' })],
    })
    expect(adapter.mode).toBe('native')
    await client.beta.messages.create({
      model: 'claude-opus-5',
      max_tokens: 100,
      mcp_servers: [{ type: 'url', name: 'calendar', url: 'http://127.0.0.1:9/mcp' }],
      ...(await adapter.request({ messages: [{ role: 'user', content: 'hello' }] })),
    })
    expect(server.requests[0]!.problem).toBeUndefined()
    expect(server.requests[0]!.headers['anthropic-beta']).toContain('mcp-client-2025-11-20')
    expect(server.requests[0]!.body.tools).toMatchObject([
      { name: 'tool_search_tool_bm25' },
      { type: 'mcp_toolset' },
    ])
  } finally {
    await server.close()
  }
})

it('takes and returns Beta messages without a type argument when toolsets are given', async () => {
  const session = await createToolSearch().session('a')
  const adapter = anthropic(session, { toolsets: [mcpToolset({ server: 'calendar' })] })
  const messages: Anthropic.Beta.BetaMessageParam[] = [{ role: 'user', content: 'hello' }]
  const request = await adapter.request({ messages })
  // This line is the test: tsc rejects it if the types do not fit.
  const params: Anthropic.Beta.MessageCreateParams = { model: 'm', max_tokens: 1, ...request }
  expect(params.messages).toEqual(messages)
})

it('keeps references to tools of the MCP connector', async () => {
  const tools = sampleTools.slice(0, 1)
  const toolSearch = createToolSearch({ tools })
  const session = await toolSearch.session('a')
  const adapter = anthropic(session, { toolsets: [mcpToolset({ server: 'calendar' })] })
  const found = (...names: string[]) => [
    { type: 'server_tool_use', id: 's', name: 'tool_search_tool_bm25', input: { query: 'x' } },
    {
      type: 'tool_search_tool_result',
      tool_use_id: 's',
      content: {
        type: 'tool_search_tool_search_result',
        tool_references: names.map((tool_name) => ({ type: 'tool_reference', tool_name })),
      },
    },
  ]
  const step = await adapter.handle({ content: found('list_events', tools[0]!.name) })
  toolSearch.catalogue.remove([tools[0]!.name])
  const messages = [{ role: 'user', content: 'hello' }, ...step.messages()]
  const request = await adapter.request({ messages })
  expect(request.messages[1]!.content).toEqual(found('list_events'))
})

it('requires mode native for a toolset', async () => {
  const session = await createToolSearch().session('a')
  const toolsets = [mcpToolset({ server: 'calendar' })]
  expect(() => anthropic(session, { mode: 'reference', toolsets })).toThrow(
    'Mode "reference" cannot be used: only Anthropic\'s own search finds tools of the MCP connector. Available modes: native.',
  )
})

it('does not fall back to a mode that cannot find the tools of a toolset', async () => {
  const session = await createToolSearch().session('a')
  const toolsets = [mcpToolset({ server: 'calendar' })]
  const adapter = anthropic(session, { toolsets, endpoint: 'http://127.0.0.1:9' })
  const error = { status: 400, message: 'tool_search_tool is not supported' }
  expect(adapter.downgrade(error)).toBeUndefined()
  expect(adapter.mode).toBe('native')
})
