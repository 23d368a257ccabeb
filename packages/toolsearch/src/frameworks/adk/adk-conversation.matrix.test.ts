import { gemini } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { eachValue } from '../../../../../testing/deep.ts'
import {
  addedTool,
  bridgeHabits,
  EXPECTED,
  longConversation,
  prefixBreaks,
} from '../long-conversation.fixtures.ts'
import { done, start } from './adk.fixtures.ts'

describe('a long conversation with ADK', () => {
  it.each(eachValue({ stream: [false, true], expects: [true, false] }))(
    'never fails and never changes the prefix (%o)',
    async ({ stream, expects }) => {
      const service = gemini()
      const turns = longConversation(bridgeHabits, { expects })
      const { ran, toolSearch, server, say } = await start({
        service,
        replies: turns.flatMap(({ replies }) => [...replies, done]),
        options: { expect: expects },
      })
      for (const { say: text, change, runs } of turns) {
        if (change?.add) toolSearch.catalogue.add([addedTool(ran)])
        if (change?.remove) toolSearch.catalogue.remove(change.remove)
        ran.length = 0
        await say(text, { stream })
        expect(ran, text).toEqual(runs)
      }
      expect(server.requests.map(({ problem }) => problem?.body).filter(Boolean)).toEqual([])
      expect(server.requests.length).toBeGreaterThan(30)
      expect(prefixBreaks(service, server.requests)).toEqual([])
      expect(server.requests.at(-1)!.text.split(EXPECTED)).toHaveLength(expects ? 2 : 1)
    },
  )
})
