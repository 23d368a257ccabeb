import Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'

const model = 'claude-opus-5'
const toolSearch = createToolSearch({
  tools: [{ name: 'refund_payment', description: 'Return a payment to the customer' }],
})
const adapter = anthropic<Anthropic.MessageParam>(await toolSearch.session('chat-42'), { model })

const request = await adapter.request({ messages: [{ role: 'user', content: 'Refund pay_7.' }] })
const reply = await new Anthropic().messages.create({ model, max_tokens: 1024, ...request })
const step = await adapter.handle(reply)
const outputs = step.calls.map(({ name, arguments: input }) => ({ called: name, input }))
console.log([...request.messages, ...step.messages(outputs)])
