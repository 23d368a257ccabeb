import { anthropic } from '@ai-sdk/anthropic'
import { generateText, isStepCount, type ModelMessage, tool } from 'ai'
import { createToolSearch } from 'toolsearch'
import { aiSdk } from 'toolsearch/ai-sdk'
import { z } from 'zod'

const tools = {
  refund_payment: tool({
    description: 'Return a payment to the customer',
    inputSchema: z.object({ payment: z.string() }),
    execute: ({ payment }) => `Refunded ${payment}.`,
  }),
  // any number of tools
}
const toolSearch = createToolSearch({ activation: 'always' }) // by default: from 15 tools on
const session = await toolSearch.session('chat-42')

const messages: ModelMessage[] = [{ role: 'user', content: 'Refund pay_7.' }]
const { text, responseMessages } = await generateText({
  model: anthropic('claude-opus-5'),
  messages,
  ...aiSdk(session, { tools }),
  stopWhen: isStepCount(10),
})
messages.push(...responseMessages)
console.log(text)
