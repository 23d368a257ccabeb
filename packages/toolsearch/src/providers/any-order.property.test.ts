import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { providers } from './all-providers.fixtures.ts'
import { type Conversation, startConversation } from './converse.fixtures.ts'
import { chatReferenceCase } from './openai-compatible/openai-compatible.fixtures.ts'
import { type ProviderCase, type ScriptedReply, sampleTools } from './provider.fixtures.ts'

const referenceCase = { ...chatReferenceCase(), modes: ['reference', 'bridge', 'append'] }
const names = sampleTools.map((tool) => tool.name)

type Action =
  | {
      do: 'search' | 'call' | 'call-unloaded' | 'force' | 'remove' | 'add-again' | 'lose-message'
      which: number
    }
  | { do: 'switch-mode'; which: number }
  | { do: 'say' | 'compact' | 'restore' | 'rebuild' }

const which = fc.nat(names.length - 1)
const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('search' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('call' as const), which }) },
  fc.record({
    do: fc.constantFrom(
      'call-unloaded',
      'force',
      'remove',
      'add-again',
      'lose-message',
      'switch-mode',
    ),
    which,
  }) as fc.Arbitrary<Action>,
  fc.record({
    do: fc.constantFrom('say', 'compact', 'restore', 'rebuild'),
  }) as fc.Arbitrary<Action>,
)

describe.each([...providers, referenceCase])('$name', (provider) => {
  it('accepts every request and shows the model all loaded tools, after any sequence of actions', async () => {
    await checkProperty(
      fc.asyncProperty(
        fc.constantFrom(...provider.modes),
        fc.array(action, { minLength: 3, maxLength: 16 }),
        async (mode, actions) => {
          const chat = await startConversation(provider, { mode })
          try {
            for (const each of actions) await perform(each, chat, provider)
            await chat.turn({ text: 'The end.' })
            const problems = chat.server.requests.flatMap(({ problem }) => problem ?? [])
            expect(problems).toEqual([])
            expect(missingTools(chat, provider)).toEqual([])
          } finally {
            await chat.close()
          }
        },
      ),
      { cases: 12, deepCases: 500 },
    )
  })
})

/** Loaded tools whose description the prompt of the last request does not contain. */
function missingTools(chat: Conversation, provider: ProviderCase): string[] {
  const prompt = provider.service().promptOf(chat.accepted().at(-1)!.body).join('\n')
  return chat.session.loaded.filter((name) => {
    const tool = chat.toolSearch.catalogue.get(name)
    return tool !== undefined && !prompt.includes(tool.description)
  })
}

async function perform(action: Action, chat: Conversation, provider: ProviderCase): Promise<void> {
  const { mode } = chat.adapter
  const { catalogue } = chat.toolSearch
  const name = 'which' in action ? names[action.which]! : ''
  const inner = (tool: string) => ({ name: tool, arguments: { subject: 'x' } })
  const guess = (tool: string): ScriptedReply => ({
    calls: [mode === 'bridge' ? { name: 'call_tool', arguments: inner(tool) } : inner(tool)],
    unconstrained: true,
  })
  if (action.do === 'say') chat.say('And then?')
  else if (action.do === 'search') {
    // The provider's own search finds only tools of the catalogue.
    const found = catalogue.has(name) ? [name] : []
    await chat.turn(provider.search(mode, name.replace('_', ' '), found))
  } else if (action.do === 'call') {
    const { loaded } = chat.session
    const tool = loaded[action.which % Math.max(1, loaded.length)]
    if (tool === undefined) return
    const isThere = catalogue.has(tool)
    await chat.turn(isThere ? chat.calling(inner(tool), inner(tool)) : guess(tool))
  } else if (action.do === 'call-unloaded') {
    await chat.turn(guess(name))
  } else if (action.do === 'force') {
    if (catalogue.has(name)) await chat.turn({ calls: [inner(name)] }, { toolChoice: name })
  } else if (action.do === 'remove') catalogue.remove([name])
  else if (action.do === 'add-again') {
    if (!catalogue.has(name)) catalogue.add(sampleTools.filter((tool) => tool.name === name))
  } else if (action.do === 'lose-message') {
    chat.messages = chat.messages.filter((_, at) => at !== action.which % chat.messages.length)
    if (chat.messages.length === 0) chat.say('Hello?')
  } else if (action.do === 'switch-mode') {
    const next = provider.modes[action.which % provider.modes.length]!
    chat.adapter = provider.adapter(chat.session, { model: provider.model, mode: next })
  } else if (action.do === 'compact') {
    chat.messages = []
    chat.say('Summary: some things were done.')
    await chat.session.compacted()
  } else if (action.do === 'restore') {
    const snapshot = JSON.parse(JSON.stringify(await chat.session.snapshot()))
    chat.session = await chat.toolSearch.restore(snapshot)
    chat.adapter = provider.adapter(chat.session, { model: provider.model, mode })
  } else await chat.adapter.rebuild(chat.messages)
}
