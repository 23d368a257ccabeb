import { MemorySaver } from '@langchain/langgraph'
import { createAgent } from 'langchain'
import { inProcessServer } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { combinations, eachValue, isDeep } from '../../../../../testing/deep.ts'
import { createToolSearch } from '../../toolsearch.ts'
import {
  addedTool,
  bridgeHabits,
  conversationTools,
  EXPECTED,
  longConversation,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { asLangChain, models } from './langchain.fixtures.ts'
import { langchainTools } from './langchain-tools.ts'
import { toolSearchMiddleware } from './tool-search-middleware.ts'

const variants = [
  { method: 'invoke', expects: false },
  { method: 'stream', expects: true },
  { method: 'stream', expects: false },
]
const rows = isDeep
  ? combinations({ model: models, variant: variants })
  : eachValue({ model: models.slice(0, 2), variant: variants.slice(0, 2) })

describe.each(rows)(
  'createAgent with $model.name, $variant.method, expect: $variant.expects',
  ({ model: { service: createService, model }, variant: { method, expects } }) => {
    it('survives a long conversation with an identical prefix', async () => {
      const turns = longConversation(bridgeHabits, { expects })
      const service = createService()
      const replies = turns.flatMap((turn) => [...turn.replies, { text: 'Done.' }])
      const server = inProcessServer({ service, replies })
      const ran: string[] = []
      const toolSearch = createToolSearch({
        tools: langchainTools(conversationTools(ran).map(asLangChain)),
        activation: 'always',
      })
      const agent = createAgent({
        model: model(server.url),
        systemPrompt: 'You help.',
        middleware: [toolSearchMiddleware(toolSearch, { expect: expects })],
        checkpointer: new MemorySaver(),
      })
      const config = { configurable: { thread_id: 'a' } }
      for (const { say, change, runs } of turns) {
        if (change?.add) toolSearch.catalogue.add(langchainTools([asLangChain(addedTool(ran))]))
        if (change?.remove) toolSearch.catalogue.remove([change.remove])
        const input = { messages: [{ role: 'user' as const, content: say }] }
        if (method === 'invoke') await agent.invoke(input, config)
        else
          for await (const _ of await agent.stream(input, { ...config, streamMode: 'messages' }));
        expect(ran.splice(0), say).toEqual(runs)
      }
      expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
      expect(server.requests).toHaveLength(replies.length)
      expect(server.requests.at(-1)!.text).toContain('play_chess')
      expect(server.requests.at(-1)!.text.split(EXPECTED)).toHaveLength(expects ? 2 : 1)
      expect(prefixBreaks(service, server.requests)).toEqual([])
      await server.close()
    })
  },
)
