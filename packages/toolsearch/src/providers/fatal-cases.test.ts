import { afterEach, describe, expect, it } from 'vitest'
import { providers } from './all-providers.fixtures.ts'
import { type Conversation, startConversation } from './converse.fixtures.ts'
import { type ProviderCase, type ScriptedReply, sampleTools } from './provider.fixtures.ts'
import { expectStableBytes } from './recorded-requests.fixtures.ts'

/**
 * Problems that have broken conversations in other programs, tested in the default mode of every
 * provider. The comments name the reports.
 */
describe.each(providers)('$name', (provider) => {
  const open: Conversation[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((chat) => chat.close()))
  })

  async function start(options: Parameters<typeof startConversation>[1] = {}) {
    const chat = await startConversation(provider, options)
    open.push(chat)
    return chat
  }

  // qwen-code #6265, #6721, vscode #312577, opencode #34873
  it('loading a tool keeps the cached prompt valid', async () => {
    const chat = await start()
    await chat.turn(search(chat, provider, 'approve invoice'))
    await chat.turn(call(chat, 'invoice_approve'))
    await chat.turn(search(chat, provider, 'archive photo'))
    await chat.turn(call(chat, 'photo_archive'))
    await chat.turn({ text: 'Done.' })
    expect(chat.ran).toHaveLength(2)
    expectStableBytes(chat)
  })

  // claude-code #78485, #79970, #80258; edgee #128
  it('the conversation and its compaction continue after a server disappears', async () => {
    const chat = await start()
    await chat.turn(search(chat, provider, 'approve invoice'))
    const invoices = sampleTools.filter((tool) => tool.name.startsWith('invoice'))
    chat.toolSearch.catalogue.remove(invoices.map((tool) => tool.name))
    await chat.turn({ text: 'The server is gone.' })
    chat.say('Summarise this conversation.')
    await chat.turn({ text: 'An invoice was looked for.' })
    chat.messages = [provider.user('An invoice was looked for.')]
    await chat.session.compacted()
    await chat.turn({ text: 'Ready.' })
    expect(rejections(chat)).toEqual([])
  })

  // claude-code #84189; codex #34719, #19486; pydantic-ai #7189
  it('compaction keeps the loaded tools and the search tool', async () => {
    const chat = await start()
    await chat.turn(search(chat, provider, 'approve invoice'))
    chat.messages = [provider.user('Summary.')]
    await chat.session.compacted()
    await chat.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'a' } }] })
    await chat.turn(search(chat, provider, 'archive photo'))
    await chat.turn(call(chat, 'photo_archive'))
    await chat.turn({ text: 'Done.' })
    expect(chat.ran.map(({ name }) => name)).toEqual(['invoice_approve', 'photo_archive'])
    expect(rejections(chat)).toEqual([])
  })

  // claude-code #90085, #79728, #64909; copilot-cli #3812
  it('a subagent without loaded tools can search for them', async () => {
    const chat = await start()
    await chat.turn(search(chat, provider, 'approve invoice'))
    const child = await chat.session.fork('subagent')
    expect(child.loaded).toEqual([])
    chat.adapter = provider.adapter(child, { model: provider.model })
    chat.messages = [provider.user('Archive the photo.')]
    await chat.turn(search(chat, provider, 'archive photo'))
    await chat.turn(call(chat, 'photo_archive'))
    await chat.turn({ text: 'Done.' })
    expect(chat.ran).toHaveLength(1)
    expect(rejections(chat)).toEqual([])
  })

  // oh-my-claudecode #814; claude-code #25961; codex #30085; hermes #75944
  it.each([
    ['an exact name', 'invoice_approve', 'invoice_approve'],
    ['part of a name', 'approve', 'invoice_approve'],
    ['a name in camel case', 'invoiceApprove', 'invoice_approve'],
    ['a sentence around it', 'the tool to approve an invoice for me', 'invoice_approve'],
  ])('a search finds a tool by %s', async (_, query, name) => {
    const chat = await start()
    chat.toolSearch.catalogue.remove(
      sampleTools
        .map((tool) => tool.name)
        .filter((other) => other.endsWith('approve') && other !== 'invoice_approve'),
    )
    await chat.turn(search(chat, provider, query))
    expect(chat.session.loaded).toContain(name)
  })

  // The same reports, and hermes #106676
  it('a query that consists of stop words finds nothing', async () => {
    const chat = await start()
    await chat.turn(search(chat, provider, 'the of and please'))
    expect(chat.session.loaded).toEqual([])
    await chat.turn({ text: 'Nothing.' })
    expect(rejections(chat)).toEqual([])
  })

  // claude-code #82549, #95087, #70563; vllm #57324; CLIProxyAPI #3008
  it.each(provider.modes)(
    'falls back to another mode if the endpoint rejects the fields of mode %s',
    async (mode) => {
      const chat = await start({
        mode,
        rejects: [
          'tool_reference',
          'defer_loading',
          'tool_addition',
          'server_tool_use',
          'tool_search',
          'additional_tools',
          'namespace',
          'mid-conversation-tool-changes-2026-07-01',
        ],
      })
      await retrying(chat, () => chat.turn({ text: 'Hello.' }))
      await retrying(chat, () => chat.turn(search(chat, provider, 'approve invoice')))
      await retrying(chat, () => chat.turn(call(chat, 'invoice_approve')))
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toHaveLength(1)
      // The next conversation with this endpoint starts in the fallback mode.
      const other = await chat.toolSearch.session('b')
      const adapter = provider.adapter(other, {
        model: provider.model,
        endpoint: chat.server.url,
        mode,
      })
      expect(adapter.mode).toBe(chat.adapter.mode)
    },
  )

  // hermes #59267; Codewhale #1419; claude-code #60052
  it('answers a call to a tool that is not loaded with the schema of the tool', async () => {
    const chat = await start()
    await chat.turn(search(chat, provider, 'archive photo'))
    await chat.turn({ ...call(chat, 'invoice_approve', { guess: 1 }), unconstrained: true })
    expect(chat.ran).toEqual([])
    expect(JSON.stringify(chat.messages.at(-1))).toMatch(/invoice_approve/)
    await chat.turn(call(chat, 'invoice_approve'))
    await chat.turn({ text: 'Done.' })
    expect(chat.ran).toHaveLength(1)
    expect(rejections(chat)).toEqual([])
  })
})

function search(chat: Conversation, provider: ProviderCase, query: string): ScriptedReply {
  const found = chat.toolSearch.search(query, { limit: 1 }).hits.map(({ tool }) => tool.name)
  return provider.search(chat.adapter.mode, query, found)
}

function call(chat: Conversation, name: string, args: unknown = { subject: 'a' }): ScriptedReply {
  const inner = { name, arguments: args }
  return {
    calls: [chat.adapter.mode === 'bridge' ? { name: 'call_tool', arguments: inner } : inner],
  }
}

/** Does what an application does on an error: downgrades the mode and sends the request again. */
async function retrying(chat: Conversation, send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 6; attempt++) {
    try {
      await send()
      return
    } catch (error) {
      if (chat.adapter.downgrade(error) === undefined) throw error
    }
  }
  throw new Error('The endpoint still rejects the request.')
}

function rejections(chat: Conversation) {
  return chat.server.requests.flatMap(({ problem }) => problem ?? [])
}
