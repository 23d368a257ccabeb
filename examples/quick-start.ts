import { createToolSearch, type ToolCall, type ToolText } from 'toolsearch'

const toolSearch = createToolSearch({
  activation: 'always', // by default, deferral starts when the tools are numerous enough
  tools: [
    {
      name: 'refund_payment',
      description: 'Refund a payment to the customer.',
      inputSchema: {
        type: 'object',
        properties: { payment_id: { type: 'string' } },
        required: ['payment_id'],
      },
      execute: ({ payment_id }) => ({ refunded: payment_id }),
    },
    {
      name: 'send_message',
      description: 'Post a message to a chat channel.',
      inputSchema: {
        type: 'object',
        properties: { channel: { type: 'string' }, text: { type: 'string' } },
        required: ['channel', 'text'],
      },
      execute: async ({ channel }) => `Posted to ${channel}.`,
    },
  ],
})

type Message = { role: 'user' | 'assistant' | 'tool'; content: string; calls?: readonly ToolCall[] }
type Model = (request: {
  system: string | undefined
  tools: readonly ToolText[]
  messages: readonly Message[]
}) => Promise<{ text: string; calls: readonly ToolCall[] }>

export async function chat(model: Model, question: string): Promise<string> {
  const session = await toolSearch.session('chat-42')
  const messages: Message[] = [{ role: 'user', content: question }]
  for (let step = 0; step < 20; step++) {
    const { tools, system, notice } = await session.turn()
    if (notice) messages.push({ role: 'user', content: notice })
    const { text, calls } = await model({ system, tools, messages })
    messages.push({ role: 'assistant', content: text, calls })
    if (calls.length === 0) return text
    for (const result of await session.run(calls)) {
      if (result.kind === 'run') throw new Error(`${result.tool.name} has no execute function.`)
      messages.push({ role: 'tool', content: result.text })
    }
  }
  throw new Error('The model did not finish within 20 steps.')
}
