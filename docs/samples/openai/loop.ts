import OpenAI from 'openai'
import { createToolSearch } from 'toolsearch'
import { openai } from 'toolsearch/openai'

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

const client = new OpenAI()
const model = 'gpt-5.4'
const session = await toolSearch.session('chat-42')
const adapter = openai<OpenAI.Responses.ResponseInputItem>(session, { model })

let input: OpenAI.Responses.ResponseInputItem[] = [{ role: 'user', content: 'Refund pay_7.' }]
for (;;) {
  const request = await adapter.request({ messages: input, system: 'You are careful.' })
  const reply = await client.responses.create({ model, ...request })
  const step = await adapter.handle(reply)
  input = [...request.input, ...(await step.run())] // executes the tools
  if (!step.shouldContinue) break
}
console.log(input.at(-1))
