import { Agent, run } from '@openai/agents'
import { createToolSearch } from 'toolsearch'
import { openaiAgents } from 'toolsearch/openai-agents'

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
const { callModelInputFilter, ...settings } = await openaiAgents(session, { expect: true })
const agent = new Agent({ name: 'Support', model: 'gpt-5.4', ...settings })

const { finalOutput } = await run(agent, 'Please refund payment pay_7.', { callModelInputFilter })
console.log(session.loaded, finalOutput)
