import { type Content, GoogleGenAI } from '@google/genai'
import { createToolSearch } from 'toolsearch'
import { gemini } from 'toolsearch/gemini'

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

const ai = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY ?? '' })
const model = 'gemini-3-pro'
const adapter = gemini<Content>(await toolSearch.session('chat-42'), { model })

let contents: Content[] = [{ role: 'user', parts: [{ text: 'Refund pay_7.' }] }]
for (;;) {
  const request = await adapter.request({ messages: contents, system: 'You are careful.' })
  const config = { ...request.config, temperature: 0 } // your own settings
  const reply = await ai.models.generateContent({ model, ...request, config })
  const step = await adapter.handle(reply)
  contents = [...request.contents, ...(await step.run())] // executes the tools
  if (!step.shouldContinue) break
}
console.log(contents.at(-1)?.parts)
