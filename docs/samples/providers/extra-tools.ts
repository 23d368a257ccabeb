import Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'

const model = 'claude-opus-5'
const toolSearch = createToolSearch({
  tools: [{ name: 'send_mail', description: 'Send an email', execute: () => 'Sent.' }],
})
const adapter = anthropic<Anthropic.MessageParam>(await toolSearch.session('chat-42'), {
  model,
  extraTools: [{ type: 'bash_20250124', name: 'bash' }],
})

const request = await adapter.request({ messages: [{ role: 'user', content: 'List the files.' }] })
const reply = await new Anthropic().messages.create({ model, max_tokens: 1024, ...request })
const step = await adapter.handle(reply)
const messages = await step.run({
  execute: (call) => `$ ${call.arguments.command}\nnotes.txt`, // foreign calls; send_mail runs itself
})
console.log([...request.messages, ...messages])
