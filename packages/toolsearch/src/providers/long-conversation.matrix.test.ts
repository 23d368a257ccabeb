import { describe, expect, it } from 'vitest'
import { eachValue, isDeep } from '../../../../testing/deep.ts'
import {
  addedTool,
  bridgeHabits,
  clientHabits,
  conversationTools,
  directHabits,
  longConversation,
  type ModelHabits,
  prefixBreaks,
} from '../frameworks/long-conversation.fixtures.ts'
import { everruns, everrunsLatest, type Preset, type ToolSearchOptions, unified } from '../index.ts'
import { startConversation } from './converse.fixtures.ts'
import { geminiCase } from './gemini/gemini-case.fixtures.ts'
import { openaiCase } from './openai/openai-case.fixtures.ts'
import { chatCase, chatReferenceCase } from './openai-compatible/openai-compatible.fixtures.ts'
import * as optionSets from './openai-compatible/option-sets.ts'
import type { ProviderCase } from './provider.fixtures.ts'

const providers: readonly ProviderCase[] = [
  openaiCase,
  { ...openaiCase, name: 'OpenAI Responses, an older model', model: 'gpt-5' },
  geminiCase,
  chatCase('Chat Completions'),
  ...Object.entries(optionSets).map(([name, set]) => ({
    ...chatCase(name, set),
    ...(set.mode === 'reference' && { service: chatReferenceCase().service }),
  })),
]
const presets: readonly Preset[] = [unified, everruns, everrunsLatest]

// Four, so that npm test combines each with each of the three presets.
const variants = [
  { streamed: false, expects: true },
  { streamed: true, expects: false },
  { streamed: false, expects: false },
  { streamed: true, expects: true },
]
const cases = eachValue({
  provider: providers,
  preset: presets,
  variant: isDeep ? variants.slice(0, 3) : variants,
})

describe.each(cases)(
  'the default mode of $provider.name with the preset $preset.preset (streamed: $variant.streamed, expect: $variant.expects)',
  ({ provider, preset, variant: { streamed, expects } }) => {
    it('keeps its prefix and loses no call in twenty turns with changing tools', async () => {
      const ran: string[] = []
      const expected: string[] = []
      const search: ToolSearchOptions = {
        preset,
        activation: 'always',
        onLoaded({ by, tools }) {
          if (by === 'expect') expected.push(...tools.map(({ name }) => name))
        },
      }
      const chat = await startConversation(provider, {
        tools: conversationTools(ran),
        search,
        run: (name) => `${name} is done.`,
      })
      const habits =
        { client: clientHabits, stub: directHabits, reference: directHabits }[chat.adapter.mode] ??
        bridgeHabits
      try {
        const isSure = expects && preset === unified
        for (const { say, change, replies } of longConversation(habits, { expects: isSure })) {
          if (change?.add) chat.toolSearch.catalogue.add(addedTool(ran))
          if (change?.remove) chat.toolSearch.catalogue.remove(change.remove)
          chat.say(say)
          for (const reply of replies) {
            const late = chat.adapter.mode === 'stub' ? throughBridge(reply) : reply
            await chat.turn(late, { streamed, expect: expects })
          }
          await chat.turn({ text: 'Done.' }, { streamed, expect: expects })
        }
        expect(chat.server.requests.filter(({ problem }) => problem)).toEqual([])
        expect(prefixBreaks(provider.service(), chat.server.requests)).toEqual([])
        expect(expected).toEqual(isSure ? expect.arrayContaining(['send_letter']) : [])
        expect(new Set(chat.ran.map(({ name }) => name))).toEqual(
          new Set(['send_letter', 'weather_report', 'draw_zebra', 'play_chess']),
        )
      } finally {
        await chat.close()
      }
    })
  },
)

/** A tool that was added after the first request has no stub. */
function throughBridge(reply: ReturnType<ModelHabits['search']>) {
  if (!reply.calls) return reply
  return {
    ...reply,
    calls: reply.calls.map((call) =>
      call.name === 'play_chess' ? bridgeHabits.call(call.name, call.arguments) : call,
    ),
  }
}
