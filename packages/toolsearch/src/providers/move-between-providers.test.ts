import { describe, expect, it } from 'vitest'
import { providers } from './all-providers.fixtures.ts'
import { startConversation } from './converse.fixtures.ts'
import { type ProviderCase, sampleTools, serverTool } from './provider.fixtures.ts'

const invalidName = 'weather.forecast/daily'
const tools = [...sampleTools, serverTool(invalidName, 'Counts rainbows.')]

const moves = providers.flatMap((from) =>
  from.modes.flatMap((mode) =>
    providers.filter((to) => to !== from).map((to) => ({ from, mode, to })),
  ),
)

describe('moving a conversation to another provider', () => {
  it.each(moves)(
    'from $from.name ($mode) to $to.name keeps the loaded tools',
    async ({ from, mode, to }) => {
      const { messages, loaded } = await startWith(from, mode)
      expect(loaded).toEqual(['invoice_approve', invalidName])
      const chat = await startConversation(to, { tools })
      try {
        expect(await chat.adapter.rebuild(messages)).toEqual(loaded)
        await chat.turn({
          calls: [{ name: chat.adapter.nameOf(invalidName), arguments: { subject: 'a' } }],
        })
        await chat.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'b' } }] })
        await chat.turn({ text: 'Done.' })
        expect(chat.ran.map(({ name }) => name)).toEqual([invalidName, 'invoice_approve'])
        const prompt = to.service().promptOf(chat.accepted()[0]!.body).join('\n')
        expect(prompt).toContain('Can approve one invoice.')
        expect(prompt).toContain('Counts rainbows.')
      } finally {
        await chat.close()
      }
    },
  )
})

async function startWith(provider: ProviderCase, mode: string) {
  const chat = await startConversation(provider, { tools, mode })
  try {
    await chat.turn(provider.search(mode, 'approve invoice', ['invoice_approve']))
    await chat.turn(provider.search(mode, 'rainbows', [chat.adapter.nameOf(invalidName)]))
    await chat.turn({ text: 'Let us go elsewhere.' })
    return { messages: chat.messages, loaded: [...chat.session.loaded] }
  } finally {
    await chat.close()
  }
}
