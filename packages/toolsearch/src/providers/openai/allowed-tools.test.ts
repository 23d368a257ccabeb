import OpenAI from 'openai'
import { inProcessServer, openaiResponses } from 'toolsearch-checking-server'
import { expect, it } from 'vitest'
import { createToolSearch } from '../../toolsearch.ts'
import { sampleTools } from '../provider.fixtures.ts'
import { allowedTools } from './allowed-tools.ts'
import { type OpenaiMode, openai } from './openai.ts'

const model = 'gpt-5.4'
const tools = sampleTools.map((tool, at) =>
  at === 0 ? { ...tool, loading: 'eager' as const } : tool,
)

it.each<OpenaiMode>(['client', 'hosted', 'bridge'])(
  'includes only tools that are listed in full, in mode %s',
  async (mode) => {
    const server = inProcessServer({ service: openaiResponses() })
    try {
      const session = await createToolSearch({ tools }).session('a')
      const adapter = openai<OpenAI.Responses.ResponseInputItem>(session, { model, mode })
      const request = await adapter.request({ messages: [{ role: 'user', content: 'Hello.' }] })
      const choice = allowedTools(request, ['invoice_create', 'photo_archive', 'nobody'])
      expect(choice).toEqual({
        type: 'allowed_tools',
        mode: 'auto',
        tools: [{ type: 'function', name: 'invoice_create' }],
      })
      const client = new OpenAI({ apiKey: 'key', baseURL: `${server.url}/v1`, maxRetries: 0 })
      await client.responses.create({ model, ...request, ...(choice && { tool_choice: choice }) })
      expect(server.requests[0]!.problem).toBeUndefined()
    } finally {
      await server.close()
    }
  },
)

it('returns undefined if none of the tools is listed', async () => {
  const session = await createToolSearch({ tools: sampleTools }).session('a')
  const request = await openai(session, { model }).request({ messages: [] })
  expect(allowedTools(request, ['photo_archive'])).toBeUndefined()
})
