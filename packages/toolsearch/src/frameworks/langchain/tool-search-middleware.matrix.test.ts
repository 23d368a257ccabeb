import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { describeBridgeConversation } from '../bridge-conversation.cases.ts'
import { asLangChain, models } from './langchain.fixtures.ts'
import { langchainTools } from './langchain-tools.ts'
import { toolSearchMiddleware } from './tool-search-middleware.ts'

describeBridgeConversation({
  models,
  tools: (definitions) => langchainTools(definitions.map(asLangChain)),
  agent(toolSearch, { model, streams, expects }) {
    const agent = createAgent({
      model,
      systemPrompt: 'You help.',
      middleware: [toolSearchMiddleware(toolSearch, { expect: expects })],
      checkpointer: new MemorySaver(),
    })
    const config = { configurable: { thread_id: 'a' } }
    return async (text) => {
      const input = { messages: [{ role: 'user' as const, content: text }] }
      if (streams) {
        for await (const _ of await agent.stream(input, { ...config, streamMode: 'messages' }));
      } else await agent.invoke(input, config)
    }
  },
})
