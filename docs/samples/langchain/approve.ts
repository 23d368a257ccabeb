import { Command, MemorySaver } from '@langchain/langgraph'
import { createAgent, humanInTheLoopMiddleware, tool } from 'langchain'
import { createToolSearch } from 'toolsearch'
import { langchainTools, toolSearchMiddleware } from 'toolsearch/langchain'
import { z } from 'zod'

const refund = tool(({ payment }) => `Refunded ${payment}.`, {
  name: 'refund_payment',
  description: 'Return a payment to the customer',
  schema: z.object({ payment: z.string() }),
})
const toolSearch = createToolSearch({ tools: langchainTools([refund]), activation: 'always' })
const sensitive = ['refund_payment']

const agent = createAgent({
  model: 'anthropic:claude-opus-5',
  middleware: [
    toolSearchMiddleware(toolSearch),
    humanInTheLoopMiddleware({
      interruptOn: {
        call_tool: {
          allowedDecisions: ['approve', 'reject'],
          when: ({ toolCall }) => sensitive.includes(toolCall.args.name),
        },
      },
    }),
  ],
  checkpointer: new MemorySaver(),
})
const thread = { configurable: { thread_id: 'chat-42' } }
await agent.invoke({ messages: [{ role: 'user', content: 'Refund pay_7.' }] }, thread)
// ask a person, then continue
const { messages } = await agent.invoke(
  new Command({ resume: { decisions: [{ type: 'approve' }] } }),
  thread,
)
console.log(messages.at(-1)?.text)
