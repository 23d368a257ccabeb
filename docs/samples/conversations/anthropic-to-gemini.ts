import Anthropic from '@anthropic-ai/sdk'
import { type Content, GoogleGenAI } from '@google/genai'
import { createToolSearch } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'
import { moveConversation } from 'toolsearch/conversations'
import { gemini } from 'toolsearch/gemini'

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
const session = await toolSearch.session('chat-42')
const system = 'You are a helpful assistant.'

// Claude finds and calls a tool.
const claude = anthropic<Anthropic.MessageParam>(session, { model: 'claude-opus-5' })
let messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'Refund pay_7.' }]
for (;;) {
  const request = await claude.request({ messages, system })
  const reply = await new Anthropic().messages.create({
    model: 'claude-opus-5',
    max_tokens: 1024,
    ...request,
  })
  const step = await claude.handle(reply)
  messages = [...request.messages, ...(await step.run())]
  if (!step.shouldContinue) break
}

// Gemini continues the conversation.
const { messages: moved, lost } = moveConversation(messages, { from: 'anthropic', to: 'gemini' })
const model = 'gemini-3-pro'
const adapter = gemini<Content>(session, { model })
const next: Content[] = [...moved, { role: 'user', parts: [{ text: 'What did you do?' }] }]
const request = await adapter.request({ messages: next, system })
const ai = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY ?? '' })
const reply = await ai.models.generateContent({ model, ...request })
console.log(reply.text, lost)
