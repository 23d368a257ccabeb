import OpenAI from 'openai'
import { createToolSearch } from 'toolsearch'
import { deepseek, openaiCompatible } from 'toolsearch/openai-compatible'

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

const client = new OpenAI({ baseURL: 'https://api.deepseek.com' })
const model = 'deepseek-v4-pro'
const session = await toolSearch.session('chat-42')
const adapter = openaiCompatible<OpenAI.ChatCompletionMessageParam>(session, { ...deepseek, model })

let messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Refund pay_7.' }]
for (;;) {
  const request = await adapter.request({ messages, system: 'You are careful.' })
  const step = await adapter.handle(await client.chat.completions.create({ model, ...request }))
  messages = [...request.messages, ...(await step.run())] // executes the tools
  if (!step.shouldContinue) break
}
console.log(messages.at(-1)?.content)
