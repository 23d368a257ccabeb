import Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropic, mcpToolset } from 'toolsearch/anthropic'

const model = 'claude-opus-5'
const session = await createToolSearch().session('chat-42')
const adapter = anthropic(session, {
  model,
  toolsets: [mcpToolset({ server: 'calendar', alwaysLoad: ['list_events'], deny: ['delete_all'] })],
})
const request = await adapter.request({ messages: [{ role: 'user', content: 'Am I free today?' }] })
const reply = await new Anthropic().beta.messages.create({
  model,
  max_tokens: 1024,
  mcp_servers: [{ type: 'url', name: 'calendar', url: 'https://calendar.example.com/mcp' }],
  ...request,
})
console.log(reply.content)
