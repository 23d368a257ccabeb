import { type AgentInputItem, MemorySession } from '@openai/agents'
import { chatCompletions, openaiResponses } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import {
  addedTool,
  bridgeHabits,
  clientHabits,
  EXPECTED,
  longConversation,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { done, native, say, start } from './openai-agents.fixtures.ts'

describe.each([
  ['Responses', openaiResponses, bridgeHabits, undefined],
  ['Chat Completions', chatCompletions, bridgeHabits, undefined],
  ['Responses with its tool search', openaiResponses, clientHabits, native],
])('a long conversation on %s', (_, createService, habits, nativeSearch) => {
  it.each([
    ['complete', false],
    ['streamed', true],
  ])('never fails and never changes the prefix, with %s replies', async (_name, stream) => {
    const service = createService()
    const turns = longConversation(habits)
    const { ran, toolSearch, agent, runner, server } = await start({
      service,
      replies: turns.flatMap(({ replies }) => [...replies, done]),
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
      // the SDK answers a call to a tool that was not found itself, without its schema
      const isGuess = nativeSearch !== undefined && text.startsWith('Guess')
      const isUnfound = nativeSearch !== undefined && text.startsWith('Two calls')
      const expected = isGuess ? [] : isUnfound ? ['send_letter'] : runs
      expect([...ran].sort(), text).toEqual([...expected].sort())
    }
    expect(server.requests.map(({ problem }) => problem?.body).filter(Boolean)).toEqual([])
    expect(server.requests.length).toBeGreaterThan(30)
    expect(prefixBreaks(service, server.requests)).toEqual([])
  })
})

describe.each([
  ['Responses', openaiResponses],
  ['Chat Completions', chatCompletions],
])('a long conversation with expect on %s', (_, createService) => {
  it.each([
    ['a session of the SDK', true],
    ['a history that the program keeps', false],
  ])('never fails and never changes the prefix, with %s', async (_name, isStored) => {
    const service = createService()
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
