import OpenAI from 'openai'
import { createToolSearch, type ToolText } from 'toolsearch'

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
  activation: 'always', // by default, deferral starts at 15 tools or 10% of the context window
})
const session = await toolSearch.session('chat-42')
const client = new OpenAI()

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Refund pay_7.' }]
for (;;) {
  const { tools, system = '', notice } = await session.turn() // what to send
  if (notice) messages.push({ role: 'user', content: notice }) // tools were added or removed
  const { reply, calls } = await ask(system, tools)
  messages.push(reply)
  if (calls.length === 0) break
  for (const result of await session.run(calls)) {
    if (result.kind === 'run') throw new Error(`${result.tool.name} has no execute function.`)
    messages.push({ role: 'tool', tool_call_id: result.id!, content: result.text })
  }
}
console.log(messages.at(-1)?.content)

async function ask(system: string, tools: readonly ToolText[]) {
  const { choices } = await client.chat.completions.create({
    model: 'gpt-5.4',
    messages: [{ role: 'system', content: system }, ...messages],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
  })
  const reply = choices[0]!.message
  const calls = reply.tool_calls?.filter((call) => call.type === 'function') ?? []
  return { reply, calls: calls.map((call) => ({ id: call.id, ...call.function })) }
}
