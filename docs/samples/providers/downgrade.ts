import Anthropic from '@anthropic-ai/sdk'
import { createToolSearch } from 'toolsearch'
import { anthropic } from 'toolsearch/anthropic'

const model = 'claude-opus-5'
const client = new Anthropic({ maxRetries: 0 })
const toolSearch = createToolSearch({
  tools: [{ name: 'send_mail', description: 'Send an email' }],
  activation: 'always',
})
const adapter = anthropic<Anthropic.MessageParam>(await toolSearch.session('chat-42'), {
  model,
  endpoint: client.baseURL,
})

async function send(messages: Anthropic.MessageParam[]): Promise<Anthropic.Message> {
  const request = await adapter.request({ messages })
  try {
    return await client.messages.create({ model, max_tokens: 1024, ...request })
  } catch (error) {
    if (adapter.downgrade(error) === undefined) throw error // a different problem
    return send(messages) // again, in the next mode
  }
}

const reply = await send([{ role: 'user', content: 'Hello!' }])
console.log(adapter.mode, reply.content)
