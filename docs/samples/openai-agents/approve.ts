import { Agent, run } from '@openai/agents'
import { createToolSearch } from 'toolsearch'
import { openaiAgents } from 'toolsearch/openai-agents'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'refund_payment',
      description: 'Return a payment to the customer',
      inputSchema: { type: 'object', properties: { payment: { type: 'string' } } },
      annotations: { destructiveHint: true },
      execute: ({ payment }) => `Refunded ${payment}.`,
    },
  ],
  activation: 'always',
})
const settings = await openaiAgents(await toolSearch.session('chat-42'), {
  needsApproval: ({ tool }) => tool.annotations.destructiveHint === true,
})
const agent = new Agent({ name: 'Support', model: 'gpt-5.4', ...settings })

let result = await run(agent, 'Refund pay_7.')
for (const interruption of result.interruptions) {
  console.log(interruption.name, interruption.arguments)
  result.state.approve(interruption) // or reject
}
result = await run(agent, result.state)
console.log(result.finalOutput)
