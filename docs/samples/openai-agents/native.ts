import { Agent, run, toolNamespace, toolSearchTool } from '@openai/agents'
import { createToolSearch } from 'toolsearch'
import { openaiAgents } from 'toolsearch/openai-agents'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'refund_payment',
      description: 'Return a payment to the customer',
      inputSchema: { type: 'object', properties: { payment: { type: 'string' } } },
      execute: ({ payment }) => `Refunded ${payment}.`,
    },
  ],
  activation: 'always',
})
const settings = await openaiAgents(await toolSearch.session('chat-42'), {
  native: { toolSearchTool, toolNamespace },
})
const agent = new Agent({ name: 'Support', model: 'gpt-5.4', ...settings })
const { finalOutput } = await run(agent, 'Refund pay_7.', {
  toolNotFoundBehavior: 'return_error_to_model',
})
console.log(finalOutput)
