import { MemorySaver } from '@langchain/langgraph'
import { createAgent, tool } from 'langchain'
import { createToolSearch } from 'toolsearch'
import { langchainTools, toolSearchMiddleware } from 'toolsearch/langchain'
import { z } from 'zod'

const refund = tool(({ payment }) => `Refunded ${payment}.`, {
  name: 'refund_payment',
  description: 'Return a payment to the customer',
  schema: z.object({ payment: z.string() }),
})
const tools = [refund] // any number of tools
const toolSearch = createToolSearch({ tools: langchainTools(tools), activation: 'always' })

const agent = createAgent({
  model: 'anthropic:claude-opus-5',
  middleware: [toolSearchMiddleware(toolSearch)],
  checkpointer: new MemorySaver(),
})
const { messages } = await agent.invoke(
  { messages: [{ role: 'user', content: 'Refund pay_7.' }] },
  { configurable: { thread_id: 'chat-42' } },
)
console.log(messages.at(-1)?.text)
