import Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'

const model = 'claude-opus-5'
const recording = { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' }
const toolSearch = createToolSearch({
  tools: [{ name: 'refund_payment', execute: () => ({ content: [recording] }) }],
})
const adapter = anthropic<Anthropic.MessageParam>(await toolSearch.session('chat-42'), {
  model,
  onDrop(dropped) {
    for (const { tool, type, reason } of dropped) console.log(`${tool}, ${type}: ${reason}`)
  },
})

const request = await adapter.request({ messages: [{ role: 'user', content: 'Refund pay_7.' }] })
const reply = await new Anthropic().messages.create({ model, max_tokens: 1024, ...request })
const step = await adapter.handle(reply)
await step.run()
