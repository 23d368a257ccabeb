import { inProcessServer, type Service } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { combinations, eachValue, isDeep } from '../../../../testing/deep.ts'
import type { ToolDefinition } from '../catalogue/tool.ts'
import type { ToolInputs } from '../catalogue/tool-input.ts'
import { createToolSearch, type ToolSearch } from '../toolsearch.ts'
import {
  addedTool,
  completeHabits,
  conversationTools,
  EXPECTED,
  longConversation,
  prefixBreaks,
} from './long-conversation.fixtures.ts'

/** A model of a framework, and the service it calls. */
export interface ModelUnderTest<Model> {
  readonly name: string
  readonly service: () => Service
  readonly model: (url: string) => Model
}

export interface BridgeFramework<Model> {
  readonly models: readonly ModelUnderTest<Model>[]
  /** Converts tools to tools of the framework, and reads them as the adapter does. */
  tools(definitions: readonly ToolDefinition[]): ToolInputs
  /** Creates an agent. Returns a function that tells it something and runs it until it has answered. */
  agent(toolSearch: ToolSearch, settings: AgentSettings<Model>): (text: string) => Promise<void>
}

export interface AgentSettings<Model> {
  readonly model: Model
  readonly streams: boolean
  /** Whether the adapter announces tools that may fit. */
  readonly expects: boolean
}

const variants = [
  { streams: false, expects: false },
  { streams: true, expects: true },
  { streams: true, expects: false },
]

/** What an adapter promises whose framework runs tools itself: the model calls them with call_tool. */
export function describeBridgeConversation<Model>({
  models,
  tools,
  agent: createAgent,
}: BridgeFramework<Model>): void {
  const rows = isDeep
    ? combinations({ model: models, variant: variants })
    : eachValue({ model: models.slice(0, 2), variant: variants.slice(0, 2) })

  describe.each(rows)(
    'an agent with $model.name, streams: $variant.streams, expect: $variant.expects',
    ({ model: { service: createService, model }, variant: { streams, expects } }) => {
      it('survives a long conversation with an identical prefix', async () => {
        const turns = longConversation(completeHabits, { expects })
        const service = createService()
        const replies = turns.flatMap((turn) => [...turn.replies, { text: 'Done.' }])
        const server = inProcessServer({ service, replies })
        const ran: string[] = []
        const toolSearch = createToolSearch({
          tools: tools(conversationTools(ran)),
          activation: 'always',
        })
        const say = createAgent(toolSearch, { model: model(server.url), streams, expects })
        for (const { say: text, change, runs } of turns) {
          if (change?.add) toolSearch.catalogue.add(tools([addedTool(ran)]))
          if (change?.remove) toolSearch.catalogue.remove([change.remove])
          await say(text)
          expect(ran.splice(0), text).toEqual(runs)
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
}
