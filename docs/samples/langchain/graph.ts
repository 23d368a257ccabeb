import { ChatAnthropic } from '@langchain/anthropic'
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { AIMessage, SystemMessage, tool } from 'langchain'
import { createToolSearch } from 'toolsearch'
import { langchainTools, toolSearchNodes } from 'toolsearch/langchain'
import { z } from 'zod'

const refund = tool(({ payment }) => `Refunded ${payment}.`, {
  name: 'refund_payment',
  description: 'Return a payment to the customer',
  schema: z.object({ payment: z.string() }),
})
const toolSearch = createToolSearch({ tools: langchainTools([refund]), activation: 'always' })
const { prepare, callTools } = toolSearchNodes(toolSearch)
const model = new ChatAnthropic({ model: 'claude-opus-5' })

const graph = new StateGraph(MessagesAnnotation)
  .addNode('model', async (state, config) => {
    const { system, tools, news } = await prepare(state, config)
    const messages = [new SystemMessage(`You help. ${system}`), ...state.messages, ...news]
    const reply = await model.bindTools(tools).invoke(messages, config)
    return { messages: [...news, reply] }
  })
  .addNode('tools', callTools)
  .addEdge(START, 'model')
  .addConditionalEdges('model', ({ messages }) => {
    const reply = messages.at(-1)
    return AIMessage.isInstance(reply) && reply.tool_calls?.length ? 'tools' : END
  })
  .addEdge('tools', 'model')
  .compile({ checkpointer: new MemorySaver() })

const { messages } = await graph.invoke(
  { messages: [{ role: 'user', content: 'Refund pay_7.' }] },
  { configurable: { thread_id: 'chat-42' } },
)
console.log(messages.at(-1)?.text)
