import Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'

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
    { name: 'current_time', description: 'Get the current time', execute: () => new Date() },
  ],
  activation: 'always', // by default, deferral starts at 15 tools or 10% of the context window
})

const client = new Anthropic()
const model = 'claude-opus-5'
const adapter = anthropic<Anthropic.MessageParam>(await toolSearch.session('chat-42'), { model })

let messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Refund pay_7.' }]
for (;;) {
  const request = await adapter.request({ messages, system: 'You are a helpful assistant.' })
  const reply = await client.messages.create({ model, max_tokens: 1024, ...request })
  const step = await adapter.handle(reply) // answers searches and invalid calls
  messages = [...request.messages, ...(await step.run())] // executes the tools
  if (!step.shouldContinue) break
}
console.log(messages.at(-1)?.content)
