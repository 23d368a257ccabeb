import { createToolSearch } from 'toolsearch'
import { openaiCompatible } from 'toolsearch/openai-compatible'

const inputSchema = {
  type: 'object',
  properties: { payment: { type: 'string' } },
  required: ['payment'],
}
const toolSearch = createToolSearch({
  tools: [
    { name: 'refund_payment', description: 'Return a payment to the customer', inputSchema },
    { name: 'current_weather', description: 'Get the weather of a city' },
    { name: 'send_mail', description: 'Send an email' },
  ],
  activation: 'always',
})
const session = await toolSearch.session('chat-42')
const adapter = openaiCompatible(session)

const messages = [{ role: 'user', content: 'Please refund payment pay_7.' }]
const request = await adapter.request({ messages, expect: true })
console.log(session.loaded)
console.log(request.messages.at(-1)?.content)
