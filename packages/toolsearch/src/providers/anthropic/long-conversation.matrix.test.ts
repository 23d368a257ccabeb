import Anthropic from '@anthropic-ai/sdk'
import { anthropicMessages, inProcessServer, type Reply } from 'toolsearch-checking-server'
import { describe, expect, it } from 'vitest'
import { eachValue } from '../../../../../testing/deep.ts'
import {
  addedTool,
  bridgeHabits,
  conversationTools,
  directHabits,
  longConversation,
  type ModelHabits,
  prefixBreaks,
} from '../../frameworks/long-conversation.fixtures.ts'
import { createToolSearch } from '../../toolsearch.ts'
import { anthropicCase } from './anthropic-case.fixtures.ts'

const provider = anthropicCase('Anthropic', Anthropic)
const cases = eachValue({ mode: provider.stableModes, streamed: [false, true] })

/** Anthropic's search finds what a search of ours would find. */
const NATIVE_HITS: Record<string, readonly string[]> = {
  'send a letter': ['send_letter'],
  'select:play_chess': ['play_chess'],
  zebra: ['draw_zebra'],
  qwertzuiop: [],
}

function habitsOf(mode: string): ModelHabits {
  if (mode === 'bridge') return bridgeHabits
  if (mode === 'stub') {
    // A tool that was added later is not in the list.
    const call: ModelHabits['call'] = (name, input) =>
      (name === 'play_chess' ? bridgeHabits : directHabits).call(name, input)
    return { ...directHabits, call }
  }
  if (!mode.startsWith('native')) return directHabits
  return {
    search: (query) => ({ search: { found: NATIVE_HITS[query] ?? [] }, text: 'Found.' }),
    call: directHabits.call,
  }
}

describe.each(cases)('$mode, streamed: $streamed', ({ mode, streamed }) => {
  // A removed tool must not invalidate the thinking that follows its reference.
  it('keeps the prefix and all thinking over 20 turns in which tools come and go', async () => {
    const ran: string[] = []
    const toolSearch = createToolSearch({ tools: conversationTools(ran) })
    const session = await toolSearch.session('a')
    const script: Reply[] = []
    const service = anthropicMessages()
    const server = inProcessServer({
      service,
      replies: Array.from({ length: 100 }, (_, at) => () => ({
        thinking: `Thought ${at}`,
        ...(script.shift() ?? { text: 'Done.' }),
      })),
    })
    const repairs: string[] = []
    const adapter = provider.adapter(session, {
      model: 'claude-fable-5-1',
      mode,
      onRepair: (made) => repairs.push(...made.map(({ kind }) => kind)),
    })
    let messages: unknown[] = []
    try {
      for (const turn of longConversation(habitsOf(mode))) {
        if (turn.change?.add) toolSearch.catalogue.add(addedTool(ran))
        if (turn.change?.remove) toolSearch.catalogue.remove(turn.change.remove)
        messages = [...messages, provider.user(turn.say)]
        ran.length = 0
        let hasEnded = false
        for (const reply of [...turn.replies, { text: 'Done.' }]) {
          script.push(reply)
          // A native search needs no result, so the model ends its turn.
          if (hasEnded) messages = [...messages, provider.user('Go on.')]
          const request = await adapter.request({ messages, system: 'You are careful.' })
          const step = await adapter.handle(
            streamed
              ? await collected(await provider.stream(server.url, request))
              : await provider.send(server.url, request),
          )
          messages = [...provider.messagesOf(request), ...(await step.run())]
          hasEnded = !step.shouldContinue
        }
        expect(ran, turn.say).toEqual(turn.runs)
      }
      expect(server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
      expect(prefixBreaks(service, server.requests)).toEqual([])
      expect(repairs.filter((kind) => kind !== 'tool-removed')).toEqual([])
      const thoughts = JSON.stringify(messages).match(/"type":"thinking"/g)
      expect(thoughts).toHaveLength(server.requests.length)
      expect(JSON.stringify(messages)).toMatch(/no longer available/i)
    } finally {
      await server.close()
    }

    async function collected(events: AsyncIterable<unknown>): Promise<unknown> {
      const collector = adapter.collect()
      for await (const event of events) collector.add(event)
      return collector.reply()
    }
  })
})
