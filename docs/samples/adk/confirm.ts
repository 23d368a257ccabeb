import { InMemoryRunner, LlmAgent } from '@google/adk'
import { createToolSearch } from 'toolsearch'
import { adkToolset } from 'toolsearch/adk'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'refund_payment',
      description: 'Return a payment to the customer',
      inputSchema: { type: 'object', properties: { payment: { type: 'string' } } },
      annotations: { destructiveHint: true },
      execute: ({ payment }) => `Refunded ${payment}.`,
    },
  ],
  activation: 'always',
})
const toolset = adkToolset(await toolSearch.session('chat-42'), {
  requireConfirmation: ({ tool }) => tool.annotations.destructiveHint === true,
})
const agent = new LlmAgent({ name: 'support', model: 'gemini-3-pro-preview', tools: [toolset] })
const runner = new InMemoryRunner({ agent, appName: 'support' })
const place = { userId: 'ann', sessionId: 'chat-42' }
await runner.sessionService.createSession({ appName: 'support', ...place })

async function say(part: object) {
  const parts = []
  for await (const { content } of runner.runAsync({
    ...place,
    newMessage: { role: 'user', parts: [part] },
  })) {
    parts.push(...(content?.parts ?? []))
  }
  return parts
}

const parts = await say({ text: 'Refund pay_7.' })
const asked = parts.find((part) => part.functionCall?.name === 'adk_request_confirmation')
const { id, name, args } = asked?.functionCall ?? {}
console.log(args?.originalFunctionCall)
console.log(await say({ functionResponse: { id, name, response: { confirmed: true } } }))
