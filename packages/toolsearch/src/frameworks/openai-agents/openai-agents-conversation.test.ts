import { MemorySession } from '@openai/agents'
import { chatCompletions, openaiResponses } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import {
  addedTool,
  bridgeHabits,
  clientHabits,
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
