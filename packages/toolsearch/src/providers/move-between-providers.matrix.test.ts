import { describe, expect, it } from 'vitest'
import { eachValue } from '../../../../testing/deep.ts'
import { moveConversation, type ProviderName } from '../move-conversation.ts'
import { providers } from './all-providers.fixtures.ts'
import { startConversation } from './converse.fixtures.ts'
import { type ProviderCase, sampleTools, serverTool } from './provider.fixtures.ts'

const invalidName = 'weather.forecast/daily'
const tools = [...sampleTools, serverTool(invalidName, 'Counts rainbows.')]

const movesIn = (isPossible: (mode: string) => boolean) =>
  providers.flatMap((from) =>
    eachValue({
      from: [from],
      mode: from.modes.filter(isPossible),
      to: providers.filter((to) => to !== from),
    }),
  )
const moves = movesIn(() => true)

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

  it.each(moves)(
    'from $from.name ($mode) to $to.name continues with its messages, and calls may look like before',
    async ({ from, mode, to }) => {
      const { messages, loaded } = await startWith(from, mode)
      const moved = moveConversation(messages as object[], { from: idOf(from), to: idOf(to) })
      const kinds = moved.lost.map(({ kind }) => kind)
      expect(kinds.filter((kind) => kind !== 'system-role' && kind !== 'thinking')).toEqual([])
      const chat = await startConversation(to, { tools })
      try {
        chat.messages = moved.messages
        chat.say('Approve it.')
        expect(await chat.adapter.rebuild(chat.messages)).toEqual(loaded)
        const approve = { name: 'invoice_approve', arguments: { subject: 'a' } }
        const wrapped = { name: 'call_tool', arguments: approve }
        await chat.turn({ calls: [approve, wrapped], unconstrained: true })
        await chat.turn({ text: 'Done.' })
        expect(chat.ran).toEqual([approve, approve])
        expect(chat.server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
        const prompt = to.service().promptOf(chat.accepted()[0]!.body).join('\n')
        expect(prompt).toContain('Please help me.')
        expect(prompt).toContain('Let us go elsewhere.')
        expect(prompt).toContain('Can approve one invoice.')
        expect(prompt).toContain('Counts rainbows.')
      } finally {
        await chat.close()
      }
    },
  )

  // in mode append, no message tells what the list contained
  it.each(movesIn((mode) => mode !== 'append'))(
    'from $from.name ($mode) to $to.name keeps a tool that was added before the model asked',
    async ({ from, mode, to }) => {
      const before = await startConversation(from, { tools, mode })
      before.messages = []
      before.say('Please approve the invoice.')
      await before.turn({ text: 'Which one?' }, { expect: true })
      await before.close()
      const { messages } = moveConversation(before.messages as object[], {
        from: idOf(from),
        to: idOf(to),
      })
      const chat = await startConversation(to, { tools })
      try {
        expect(await chat.adapter.rebuild(before.messages)).toEqual(['invoice_approve'])
        chat.messages = messages
        chat.say('The last one.')
        const approve = { name: 'invoice_approve', arguments: { subject: 'a' } }
        await chat.turn(chat.calling(approve))
        expect(chat.ran).toEqual([approve])
        const { body } = chat.accepted()[0]!
        expect(to.service().promptOf(body).join('\n')).toContain('What it is about.')
        expect(chat.server.requests.flatMap(({ problem }) => problem ?? [])).toEqual([])
      } finally {
        await chat.close()
      }
    },
  )
})

const IDS: Readonly<Record<string, ProviderName>> = {
  Anthropic: 'anthropic',
  'Chat Completions': 'openai-compatible',
  Gemini: 'gemini',
  'OpenAI Responses': 'openai',
}

function idOf({ name }: ProviderCase): ProviderName {
  return IDS[name]!
}

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
