import { Agent } from '@mastra/core/agent'
import { MockMemory } from '@mastra/core/memory'
import { describeBridgeConversation } from '../bridge-conversation.cases.ts'
import { asMastra, models } from './mastra.fixtures.ts'
import { mastraTools } from './mastra-tools.ts'
import { toolSearchProcessor } from './tool-search-processor.ts'

describeBridgeConversation({
  models,
  tools: (definitions) => mastraTools(definitions.map(asMastra)),
  agent(toolSearch, { model, streams, expects }) {
    const agent = new Agent({
      id: 'helper',
      name: 'helper',
      instructions: 'You help.',
      model,
      inputProcessors: [toolSearchProcessor(toolSearch, { expect: expects })],
      memory: new MockMemory({ options: { lastMessages: 1000 } }),
    })
    const options = { memory: { thread: 'a', resource: 'ann' }, maxSteps: 10 }
    return async (text) => {
      if (streams) await (await agent.stream(text, options)).consumeStream()
      else await agent.generate(text, options)
    }
  },
})
