import Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'

const model = 'claude-opus-5'
const toolSearch = createToolSearch({
  tools: [{ name: 'send_mail', description: 'Send an email' }],
})
const adapter = anthropic<Anthropic.MessageParam>(await toolSearch.session('chat-42'), { model })

const request = await adapter.request({ messages: [{ role: 'user', content: 'Hello!' }] })
const stream = await new Anthropic().messages.create({
  model,
  max_tokens: 1024,
  stream: true,
  ...request,
})
const collector = adapter.collect()
for await (const event of stream) collector.add(event) // returns the calls that this event completes
const step = await adapter.handle(collector.reply())
console.log(step.calls, step.messages())
