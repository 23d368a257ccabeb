import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { providers } from './all-providers.fixtures.ts'
import { type Conversation, startConversation } from './converse.fixtures.ts'
import { fleet, type ProviderCase } from './provider.fixtures.ts'

const names = fleet.map((tool) => tool.name)

type Deed =
  | { do: 'search' | 'call' | 'blind' | 'force' | 'remove' | 'return' | 'lose'; which: number }
  | { do: 'switch'; which: number }
  | { do: 'say' | 'compact' | 'restore' | 'rebuild' }

const which = fc.nat(names.length - 1)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('search' as const), which }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('call' as const), which }) },
  fc.record({
    do: fc.constantFrom('blind', 'force', 'remove', 'return', 'lose', 'switch'),
    which,
  }) as fc.Arbitrary<Deed>,
  fc.record({ do: fc.constantFrom('say', 'compact', 'restore', 'rebuild') }) as fc.Arbitrary<Deed>,
)

describe.each(providers)('$name', (provider) => {
  it('is never refused and shows the model what is loaded, whatever happens in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...provider.modes),
        fc.array(deed, { minLength: 3, maxLength: 16 }),
        async (mode, deeds) => {
          const talk = await startConversation(provider, { mode })
          try {
            for (const one of deeds) await perform(one, talk, provider)
            await talk.turn({ text: 'The end.' })
            const problems = talk.server.requests.flatMap(({ problem }) => problem ?? [])
            expect(problems).toEqual([])
            expect(unknownTools(talk, provider)).toEqual([])
          } finally {
            await talk.close()
          }
        },
      ),
      { numRuns: 60 },
    )
  })
})

/** Loaded tools that the model was not shown in the last request. */
function unknownTools(talk: Conversation, provider: ProviderCase): string[] {
  const prompt = provider.service().promptOf(talk.accepted().at(-1)!.body).join('\n')
  return talk.session.loaded.filter((name) => {
    const tool = talk.toolSearch.catalogue.get(name)
    return tool !== undefined && !prompt.includes(tool.description)
  })
}

async function perform(one: Deed, talk: Conversation, provider: ProviderCase): Promise<void> {
  const { mode } = talk.adapter
  const { catalogue } = talk.toolSearch
  const name = 'which' in one ? names[one.which]! : ''
  const inner = (tool: string) => ({ name: tool, arguments: { subject: 'x' } })
  const call = (tool: string) =>
    mode === 'bridge' ? { name: 'call_tool', arguments: inner(tool) } : inner(tool)
  if (one.do === 'say') talk.say('And then?')
  else if (one.do === 'search') {
    // the provider's own search finds only what is there
    const found = catalogue.has(name) ? [name] : []
    await talk.turn(provider.search(mode, name.replace('_', ' '), found))
  } else if (one.do === 'call') {
    const { loaded } = talk.session
    const tool = loaded[one.which % Math.max(1, loaded.length)]
    if (tool !== undefined) await talk.turn({ calls: [call(tool), call(tool)] })
  } else if (one.do === 'blind') await talk.turn({ calls: [call(name)] })
  else if (one.do === 'force') {
    if (catalogue.has(name)) await talk.turn({ calls: [inner(name)] }, { toolChoice: name })
  } else if (one.do === 'remove') catalogue.remove([name])
  else if (one.do === 'return') {
    if (!catalogue.has(name)) catalogue.add(fleet.filter((tool) => tool.name === name))
  } else if (one.do === 'lose') {
    talk.messages = talk.messages.filter((_, at) => at !== one.which % talk.messages.length)
    if (talk.messages.length === 0) talk.say('Hello?')
  } else if (one.do === 'switch') {
    const next = provider.modes[one.which % provider.modes.length]!
    talk.adapter = provider.adapter(talk.session, { model: provider.model, mode: next })
  } else if (one.do === 'compact') {
    talk.messages = []
    talk.say('Summary: some things were done.')
    await talk.session.compacted()
  } else if (one.do === 'restore') {
    const snapshot = JSON.parse(JSON.stringify(talk.session.snapshot()))
    talk.session = await talk.toolSearch.restore(snapshot)
    talk.adapter = provider.adapter(talk.session, { model: provider.model, mode })
  } else await talk.adapter.rebuild(talk.messages)
}
