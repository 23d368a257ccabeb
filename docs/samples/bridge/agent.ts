import OpenAI from 'openai'
import { createBridge, createToolSearch, type Session, type ToolText } from 'toolsearch'

// 1. A framework that you cannot change: an agent with a system prompt and a list of tools.
interface AgentTool {
  name: string
  description: string
  parameters: Record<string, unknown>
  run(input: unknown, signal?: AbortSignal): Promise<string>
}
interface AgentOptions {
  system: string
  tools: readonly AgentTool[]
}
async function runAgent(prompt: string, { system, tools }: AgentOptions): Promise<string> {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ]
  for (;;) {
    const { choices } = await new OpenAI().chat.completions.create({
      model: 'gpt-5.4',
      messages,
      tools: tools.map(({ run, ...definition }) => ({ type: 'function', function: definition })),
    })
    const { message } = choices[0]!
    messages.push(message)
    if (!message.tool_calls) return message.content ?? ''
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue
      const tool = tools.find(({ name }) => name === call.function.name)
      const content = (await tool?.run(JSON.parse(call.function.arguments))) ?? 'Unknown tool'
      messages.push({ role: 'tool', tool_call_id: call.id, content })
    }
  }
}

// 2. The adapter: the session as a part of the agent's options.
async function searchableTools(session: Session): Promise<AgentOptions> {
  const bridge = createBridge(session, { news: 'results' })
  const { system = '', tools, isActive } = await bridge.planRequest()
  const call = async (input: unknown, signal?: AbortSignal) => {
    await bridge.planRequest() // collects news about tools that were added or removed
    const result = await bridge.call(input, signal && { signal })
    // A tool without `execute`: the answer says that it cannot run.
    return (result.kind === 'run' ? await bridge.execute(result) : result).text
  }
  const { searchTool, callTool } = bridge
  const two = [
    { ...describe(searchTool), run: async (input: unknown) => (await bridge.search(input)).text },
    { ...describe(callTool), run: call },
  ]
  const eager = tools.map((tool) => ({
    ...describe(tool),
    run: (input: unknown, signal?: AbortSignal) =>
      call({ name: tool.name, arguments: input }, signal),
  }))
  return { system, tools: isActive ? [...two, ...eager] : eager }
}
function describe(tool: ToolText) {
  return { name: tool.name, description: tool.description, parameters: tool.inputSchema }
}

// 3. What your users write.
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
    // any number of tools
  ],
  activation: 'always', // by default: from 15 tools on
})
const session = await toolSearch.session('chat-42')
console.log(await runAgent('Refund pay_7.', await searchableTools(session)))
