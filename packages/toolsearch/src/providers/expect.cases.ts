import { describe, expect, it } from 'vitest'
import type { Conversation, startConversation } from './converse.fixtures.ts'
import type { ProviderCase, ScriptedReply } from './provider.fixtures.ts'
import { expectStableBytes, rejections } from './recorded-requests.fixtures.ts'

type Start = (options: Parameters<typeof startConversation>[1]) => Promise<Conversation>

/** What `expect` does in every mode of a provider. */
export function describeExpect(provider: ProviderCase, start: Start): void {
  describe.each(provider.modes)(`${provider.name} with expect, mode %s`, (mode) => {
    const search = (query: string, ...found: string[]) => provider.search(mode, query, found)
    const expected = { name: 'invoice_approve', arguments: { subject: 'number 7' } }
    const callExpected = (): ScriptedReply => ({
      calls: [mode === 'bridge' ? { name: 'call_tool', arguments: expected } : expected],
    })
    /** A conversation in which `expect` has added a tool, and the model has called it. */
    const startExpected = async () => {
      const chat = await start({ mode })
      await chat.turn({ text: 'Hello.' }, { expect: true })
      expect(chat.session.loaded).toEqual([])
      chat.say('Please approve the invoice.')
      await chat.turn(callExpected(), { expect: true })
      return chat
    }

    if (mode === 'append') {
      it('lists a tool that fits the words of the user only in the first request', async () => {
        const chat = await start({ mode })
        await chat.turn({ text: 'Hello.' }, { expect: true })
        chat.say('Please approve the invoice.')
        const request = await chat.adapter.request({ messages: chat.messages, expect: true })
        expect(request).toEqual(await chat.adapter.request({ messages: chat.messages }))
        expect(chat.session.loaded).toEqual([])
        const other = await start({ mode })
        other.messages = []
        other.say('Please approve the invoice.')
        await other.turn(callExpected(), { expect: true })
        await other.turn({ text: 'Approved.' }, { expect: 'archive photo' })
        expect(other.ran).toEqual([expected])
        expect(other.session.loaded).toEqual([expected.name])
        expect([...rejections(chat), ...rejections(other)]).toEqual([])
        expectStableBytes(other)
      })
      return
    }

    it('appends a tool that fits the words of the user, without changing anything before it', async () => {
      const chat = await startExpected()
      expect(chat.session.loaded).toContain(expected.name)
      expect(chat.ran).toEqual([expected])
      const { body } = chat.accepted().at(-1)!
      expect(provider.service().promptOf(body).join('\n')).toContain('What it is about.')
      await chat.turn(callExpected())
      await chat.turn({ text: 'Approved.' }, { expect: 'approve invoice' })
      expect(chat.ran).toEqual([expected, expected])
      expect(rejections(chat)).toEqual([])
      expectStableBytes(chat)
    })

    it('finds a tool that was added before the model asked, and can force it', async () => {
      const chat = await startExpected()
      await chat.turn(search('approve invoice', expected.name))
      await chat.turn(callExpected())
      await chat.turn(chat.calling(expected), { toolChoice: expected.name })
      await chat.turn({ text: 'Approved.' })
      expect(chat.ran).toEqual([expected, expected, expected])
      if (mode === 'reference') expect(JSON.stringify(chat.messages)).toContain('tool_reference')
      const forced = await startExpected()
      await forced.turn(forced.calling(expected), { toolChoice: expected.name })
      expect(forced.ran).toEqual([expected, expected])
      chat.say('Please archive the photo.')
      const photo = { name: 'photo_archive', arguments: { subject: 'number 8' } }
      await chat.turn(chat.calling(photo), { expect: true, toolChoice: 'photo_archive' })
      expect(chat.ran.at(-1)).toEqual(photo)
      expect([...rejections(chat), ...rejections(forced)]).toEqual([])
    })

    it('keeps a tool that was added before the model asked, without the record and without its notice', async () => {
      const chat = await startExpected()
      await chat.turn({ text: 'Approved.' })
      const restart = async (id: string) => {
        chat.session = await chat.toolSearch.session(id)
        chat.adapter = provider.adapter(chat.session, { model: provider.model, mode })
      }
      await restart('b')
      expect(await chat.adapter.rebuild(chat.messages)).toContain(expected.name)
      await chat.turn(callExpected())
      await chat.turn({ text: 'Approved.' })
      expect(chat.ran).toEqual([expected, expected])
      expectStableBytes(chat)
      // the history is cut, so the request must list what it described
      await restart('c')
      await chat.adapter.rebuild(chat.messages)
      chat.messages = []
      chat.say('Approve another one.')
      await chat.turn(callExpected())
      expect(chat.ran).toHaveLength(3)
      const { body } = chat.accepted().at(-1)!
      expect(provider.service().promptOf(body).join('\n')).toContain('Can approve one invoice.')
      expect(rejections(chat)).toEqual([])
    })
  })
}
