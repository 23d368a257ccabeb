import { query } from '@anthropic-ai/claude-agent-sdk'
import { createToolSearch } from 'toolsearch'
import { claudeAgentSdk } from 'toolsearch/claude-agent-sdk'

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
    // any number of tools
  ],
  activation: 'always', // by default: from 15 tools on
})
const session = await toolSearch.session('chat-42')

for await (const message of query({
  prompt: 'Refund pay_7.',
  options: {
    mcpServers: { tools: claudeAgentSdk(session) },
    allowedTools: ['mcp__tools'], // run every tool without asking
  },
})) {
  if (message.type === 'result' && message.subtype === 'success') console.log(message.result)
}
