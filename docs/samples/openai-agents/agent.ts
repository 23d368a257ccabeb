import { Agent, MemorySession, run, tool } from '@openai/agents'
import { createToolSearch } from 'toolsearch'
import { agentTools, openaiAgents } from 'toolsearch/openai-agents'
import { z } from 'zod'

const refundPayment = tool({
  name: 'refund_payment',
  description: 'Return a payment to the customer',
  parameters: z.object({ payment: z.string() }),
  execute: ({ payment }) => `Refunded ${payment}.`,
})
const toolSearch = createToolSearch({
  tools: agentTools([refundPayment]), // any number of tools
  activation: 'always', // by default, deferral starts at 15 tools or 10% of the context window
})

const session = await toolSearch.session('chat-42')
const agent = new Agent({
  name: 'Support',
  model: 'gpt-5.4',
  ...(await openaiAgents(session, { instructions: 'You are careful.' })),
})
const { finalOutput } = await run(agent, 'Refund pay_7.', {
  session: new MemorySession(),
  toolNotFoundBehavior: 'return_error_to_model',
})
console.log(finalOutput)
