import { describe, expect, it } from 'vitest'
import { startConversation } from '../converse.fixtures.ts'
import { openaiCase } from './openai-case.fixtures.ts'

const compaction = { type: 'compaction', encrypted_content: 'secret' }
const modes = openaiCase.modes.map((mode) => ({ mode }))

function callIn(mode: string) {
  const call = { name: 'invoice_approve', arguments: { subject: 'x' } }
  return { calls: [mode === 'bridge' ? { name: 'call_tool', arguments: call } : call] }
}

describe.each(modes)('a compaction by OpenAI in mode $mode', ({ mode }) => {
  it.each([{ streamed: false }, { streamed: true }])(
    'keeps its place, and the loaded tools stay usable ($streamed)',
    async ({ streamed }) => {
      const chat = await startConversation(openaiCase, { mode })
      try {
        await chat.turn(openaiCase.search(mode, 'invoice approve', ['invoice_approve']))
        await chat.turn(callIn(mode))
        await chat.turn({ native: [compaction], text: 'Summarised.' }, { streamed })
        const at = chat.messages.findIndex(
          (item) => (item as { type?: string }).type === 'compaction',
        )
        expect(at).toBeGreaterThan(0)
        await chat.turn(callIn(mode))
        await chat.turn({ text: 'Done.' })
        const last = chat.accepted().at(-1)!
        expect(JSON.stringify(openaiCase.service().promptOf(last.body))).toContain(
          'Can approve one invoice.',
        )
        expect(chat.ran.map(({ name }) => name)).toEqual(['invoice_approve', 'invoice_approve'])
        expect(chat.accepted()).toHaveLength(5)
        const lists = chat.accepted().map(({ body }) => JSON.stringify(body.tools))
        if (mode === 'client') expect(new Set(lists).size).toBe(1)
      } finally {
        await chat.close()
      }
    },
  )

  it('leaves the loaded tools usable if it replaced the history', async () => {
    const chat = await startConversation(openaiCase, { mode })
    try {
      await chat.turn(openaiCase.search(mode, 'invoice approve', ['invoice_approve']))
      // what responses.compact() returns
      chat.messages = [openaiCase.user('Please help me.'), compaction]
      await chat.turn(callIn(mode))
      expect(chat.ran).toHaveLength(1)
      expect(chat.accepted()).toHaveLength(2)
    } finally {
      await chat.close()
    }
  })
})

it('a notice is placed before a compaction trigger', async () => {
  const chat = await startConversation(openaiCase)
  try {
    await chat.turn({ text: 'Hello.' })
    chat.toolSearch.catalogue.add({ name: 'new_tool', description: 'New.' })
    chat.say('Go on.')
    chat.messages = [...chat.messages, { type: 'compaction_trigger' }]
    await chat.turn({ text: 'Done.' })
    expect(JSON.stringify(chat.accepted()[1]!.body)).toContain('new_tool')
    expect(chat.accepted()).toHaveLength(2)
  } finally {
    await chat.close()
  }
})
