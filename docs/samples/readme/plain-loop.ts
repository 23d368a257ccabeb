import OpenAI from 'openai'
import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [
    {
      name: 'refund_payment',
      description: 'Return a payment to the customer',
      inputSchema: {
        type: 'object',
        properties: { payment: { type: 'string' } },
        required: ['payment'],
      },
      execute: ({ payment }) => `Refunded ${payment}.`,
    },
    { name: 'current_time', description: 'Get the current time', execute: () => new Date() },
  ],
  activation: 'always', // the default is to send all tools while there are fewer than 15
})

const client = new OpenAI()
const session = await toolSearch.session('chat-42')
const context = { sessionId: session.id, signal: AbortSignal.timeout(60_000) }
const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Refund pay_7.' }]
for (;;) {
  const { tools, system = '' } = await session.turn()
  const { choices } = await client.chat.completions.create({
    model: 'gpt-5.4',
    messages: [{ role: 'system', content: system }, ...messages],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
  })
  const reply = choices[0]!.message
  messages.push(reply)
  if (!reply.tool_calls) break
  for (const call of reply.tool_calls) {
    if (call.type !== 'function') continue
    const answer = await session.answer(call.function) // undefined for a valid call: run it
    const run = session.tool(call.function.name)?.execute
    const output = answer?.text ?? (await run?.(JSON.parse(call.function.arguments), context))
    messages.push({ role: 'tool', tool_call_id: call.id, content: String(output) })
  }
}
console.log(messages.at(-1)?.content)
