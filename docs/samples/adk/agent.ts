import { FunctionTool, InMemoryRunner, LlmAgent } from '@google/adk'
import { createToolSearch } from 'toolsearch'
import { adkTools, adkToolset } from 'toolsearch/adk'
import { z } from 'zod'

const refundPayment = new FunctionTool({
  name: 'refund_payment',
  description: 'Return a payment to the customer',
  parameters: z.object({ payment: z.string() }),
  execute: ({ payment }) => `Refunded ${payment}.`,
})
const toolSearch = createToolSearch({
  tools: adkTools([refundPayment]), // any number of tools
  activation: 'always', // by default, deferral starts at 15 tools or 10% of the context window
})

const session = await toolSearch.session('chat-42')
const agent = new LlmAgent({
  name: 'support',
  model: 'gemini-3-pro-preview',
  instruction: 'You are careful.',
  tools: [adkToolset(session)],
})
const runner = new InMemoryRunner({ agent })
const newMessage = { role: 'user', parts: [{ text: 'Refund pay_7.' }] }
for await (const { content } of runner.runEphemeral({ userId: 'ann', newMessage })) {
  console.log(content?.parts)
}
