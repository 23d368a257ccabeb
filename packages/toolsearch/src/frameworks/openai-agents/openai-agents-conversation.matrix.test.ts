import { type AgentInputItem, MemorySession } from '@openai/agents'
import { chatCompletions, openaiResponses } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { eachValue, isDeep } from '../../../../../testing/deep.ts'
import {
  addedTool,
  bridgeHabits,
  clientHabits,
  EXPECTED,
  longConversation,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { done, native, say, start } from './openai-agents.fixtures.ts'

const apis = [
  { name: 'Responses', createService: openaiResponses, habits: bridgeHabits },
  { name: 'Chat Completions', createService: chatCompletions, habits: bridgeHabits },
  {
    name: 'Responses with its tool search',
    createService: openaiResponses,
    habits: clientHabits,
    nativeSearch: native,
  },
]

describe.each(eachValue({ api: apis, stream: [false, true] }))(
  'a long conversation on $api.name, streamed: $stream',
  ({ api, stream }) => {
    it('never fails and never changes the prefix', async () => {
      const { createService, habits, nativeSearch } = api
      const service = createService()
      const turns = longConversation(habits)
      // the SDK answers a call to a tool that was not found itself, without its schema
      const isUnseen = (text: string) =>
        nativeSearch !== undefined && /^(Guess|Two calls)/.test(text)
      const { ran, toolSearch, agent, runner, server } = await start({
        service,
        replies: turns.flatMap(({ say, replies }) => [
          ...replies.map((reply) => (isUnseen(say) ? { ...reply, unconstrained: true } : reply)),
          done,
        ]),
        options: {
          instructions: 'Be brief.',
          ...(nativeSearch && { native: nativeSearch }),
        },
      })
      const session = new MemorySession()
      for (const { say: text, change, runs } of turns) {
        if (change?.add) toolSearch.catalogue.add([addedTool(ran)])
        if (change?.remove) toolSearch.catalogue.remove(change.remove)
        ran.length = 0
        await say(runner, agent, text, { stream, session })
        const expected = isUnseen(text) ? runs.filter((name) => name !== 'weather_report') : runs
        expect([...ran].sort(), text).toEqual([...expected].sort())
      }
      expect(server.requests.map(({ problem }) => problem?.body).filter(Boolean)).toEqual([])
      expect(server.requests.length).toBeGreaterThan(30)
      expect(prefixBreaks(service, server.requests)).toEqual([])
    })
  },
)

const SESSION = 'a session of the SDK'
const OWN = 'a program that keeps the history'

// The conversations above use a session.
describe.each(
  eachValue({
    api: apis.slice(isDeep ? 0 : 1, 2),
    keeper: isDeep ? [OWN, SESSION] : [OWN],
  }),
)('a long conversation with expect on $api.name and $keeper', ({ api, keeper }) => {
  it('never fails and never changes the prefix', async () => {
    const isStored = keeper === SESSION
    const service = api.createService()
    const turns = longConversation(bridgeHabits, { expects: true })
    const { ran, toolSearch, agent, runner, server, settings } = await start({
      service,
      replies: turns.flatMap(({ replies }) => [...replies, done]),
      options: { expect: true },
    })
    const { callModelInputFilter } = settings
    const session = new MemorySession()
    let history: AgentInputItem[] = []
    for (const { say: text, change, runs } of turns) {
      if (change?.add) toolSearch.catalogue.add([addedTool(ran)])
      if (change?.remove) toolSearch.catalogue.remove(change.remove)
      ran.length = 0
      if (isStored) await runner.run(agent, text, { session, callModelInputFilter })
      else {
        const input = [...history, { role: 'user' as const, content: text }]
        history = (await runner.run(agent, input, { callModelInputFilter })).history
      }
      expect([...ran].sort(), text).toEqual([...runs].sort())
    }
    expect(server.requests.map(({ problem }) => problem?.body).filter(Boolean)).toEqual([])
    expect(prefixBreaks(service, server.requests)).toEqual([])
    expect(server.requests.at(-1)!.text.split(EXPECTED)).toHaveLength(2)
  })
})
