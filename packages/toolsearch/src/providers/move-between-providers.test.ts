import { describe, expect, it } from 'vitest'
import { providers } from './all-providers.fixtures.ts'
import { startConversation } from './converse.fixtures.ts'
import { fleet, type ProviderCase, serverTool } from './provider.fixtures.ts'

const odd = 'weather.forecast/daily'
const tools = [...fleet, serverTool(odd, 'Counts rainbows.')]

const moves = providers.flatMap((from) =>
  from.modes.flatMap((mode) =>
    providers.filter((to) => to !== from).map((to) => ({ from, mode, to })),
  ),
)

describe('a conversation that moves', () => {
  it.each(moves)(
    'from $from.name ($mode) to $to.name keeps what it has loaded',
    async ({ from, mode, to }) => {
      const { messages, loaded } = await talkWith(from, mode)
      expect(loaded).toEqual(['invoice_approve', odd])
      const talk = await startConversation(to, { tools })
      try {
        expect(await talk.adapter.rebuild(messages)).toEqual(loaded)
        await talk.turn({
          calls: [{ name: talk.adapter.nameOf(odd), arguments: { subject: 'a' } }],
        })
        await talk.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'b' } }] })
        await talk.turn({ text: 'Done.' })
        expect(talk.ran.map(({ name }) => name)).toEqual([odd, 'invoice_approve'])
        const prompt = to.service().promptOf(talk.accepted()[0]!.body).join('\n')
        expect(prompt).toContain('Can approve one invoice.')
        expect(prompt).toContain('Counts rainbows.')
      } finally {
        await talk.close()
      }
    },
  )
})

async function talkWith(provider: ProviderCase, mode: string) {
  const talk = await startConversation(provider, { tools, mode })
  try {
    await talk.turn(provider.search(mode, 'approve invoice', ['invoice_approve']))
    await talk.turn(provider.search(mode, 'rainbows', [talk.adapter.nameOf(odd)]))
    await talk.turn({ text: 'Let us go elsewhere.' })
    return { messages: talk.messages, loaded: [...talk.session.loaded] }
  } finally {
    await talk.close()
  }
}
