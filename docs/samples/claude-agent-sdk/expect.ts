import { query } from '@anthropic-ai/claude-agent-sdk'
import { createToolSearch } from 'toolsearch'
import { claudeAgentSdk, expectHook } from 'toolsearch/claude-agent-sdk'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'refund_payment',
      description: 'Return a payment to the customer',
      inputSchema: {
        type: 'object',
        properties: { payment: { type: 'string' } },
        required: ['payment'],
      },
      execute: ({ payment }) => `Refunded ${payment}.`,
    },
    { name: 'current_weather', description: 'Get the weather of a city', execute: () => 'Rain' },
  ],
  activation: 'always',
})
const session = await toolSearch.session('chat-42')

for await (const message of query({
  prompt: 'Please refund payment pay_7.',
  options: {
    mcpServers: { tools: claudeAgentSdk(session) },
    allowedTools: ['mcp__tools'],
    hooks: { UserPromptSubmit: [expectHook(session)] },
  },
})) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result)
}
