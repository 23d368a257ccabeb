import { Agent } from '@mastra/core/agent'
import { MockMemory } from '@mastra/core/memory'
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
import { asMastra, models } from './mastra.fixtures.ts'
import { mastraTools } from './mastra-tools.ts'
import { toolSearchProcessor } from './tool-search-processor.ts'

const variants = [
  { method: 'generate', expects: false },
  { method: 'stream', expects: true },
  { method: 'stream', expects: false },
]
const rows = isDeep
  ? combinations({ model: models, variant: variants })
  : eachValue({ model: models.slice(0, 2), variant: variants.slice(0, 2) })

describe.each(rows)(
  'an agent of Mastra with $model.name, $variant.method, expect: $variant.expects',
  ({ model: { service: createService, model }, variant: { method, expects } }) => {
    it('survives a long conversation with an identical prefix', async () => {
      const turns = longConversation(bridgeHabits, { expects })
      const service = createService()
      const replies = turns.flatMap((turn) => [...turn.replies, { text: 'Done.' }])
      const server = inProcessServer({ service, replies })
      const ran: string[] = []
      const toolSearch = createToolSearch({
        tools: mastraTools(conversationTools(ran).map(asMastra)),
        activation: 'always',
      })
      const agent = new Agent({
        id: 'helper',
        name: 'helper',
        instructions: 'You help.',
        model: model(server.url),
        inputProcessors: [toolSearchProcessor(toolSearch, { expect: expects })],
        memory: new MockMemory({ options: { lastMessages: 1000 } }),
      })
      const memory = { thread: 'a', resource: 'ann' }
      for (const { say, change, runs } of turns) {
        if (change?.add) toolSearch.catalogue.add(mastraTools([asMastra(addedTool(ran))]))
        if (change?.remove) toolSearch.catalogue.remove([change.remove])
        if (method === 'generate') await agent.generate(say, { memory, maxSteps: 10 })
        else {
          const output = await agent.stream(say, { memory, maxSteps: 10 })
          await output.consumeStream()
        }
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
