import { afterEach, describe, expect, it } from 'vitest'
import { providers } from './all-providers.fixtures.ts'
import { type Conversation, startConversation } from './converse.fixtures.ts'
import { expectStableBytes } from './provider.cases.ts'
import { fleet, type ProviderCase, type ScriptedReply } from './provider.fixtures.ts'

/**
 * What has ended conversations elsewhere, in the default mode of every provider. The names say
 * where it was reported.
 */
describe.each(providers)('$name', (provider) => {
  const open: Conversation[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map((talk) => talk.close()))
  })

  async function start(options: Parameters<typeof startConversation>[1] = {}) {
    const talk = await startConversation(provider, options)
    open.push(talk)
    return talk
  }

  // qwen-code #6265, #6721, vscode #312577, opencode #34873
  it('loading a tool throws no cached prompt away', async () => {
    const talk = await start()
    await talk.turn(search(talk, provider, 'approve invoice'))
    await talk.turn(call(talk, 'invoice_approve'))
    await talk.turn(search(talk, provider, 'archive photo'))
    await talk.turn(call(talk, 'photo_archive'))
    await talk.turn({ text: 'Done.' })
    expect(talk.ran).toHaveLength(2)
    expectStableBytes(talk)
  })

  // claude-code #78485, #79970, #80258; edgee #128
  it('a server that goes away does not end the session, not even its compaction', async () => {
    const talk = await start()
    await talk.turn(search(talk, provider, 'approve invoice'))
    const invoices = fleet.filter((tool) => tool.name.startsWith('invoice'))
    talk.toolSearch.catalogue.remove(invoices.map((tool) => tool.name))
    await talk.turn({ text: 'The server is gone.' })
    talk.say('Summarise this conversation.')
    await talk.turn({ text: 'An invoice was looked for.' })
    talk.messages = [provider.user('An invoice was looked for.')]
    await talk.session.compacted()
    await talk.turn({ text: 'Ready.' })
    expect(refusals(talk)).toEqual([])
  })

  // claude-code #84189; codex #34719, #19486; pydantic-ai #7189
  it('compaction keeps what was loaded, and the search tool', async () => {
    const talk = await start()
    await talk.turn(search(talk, provider, 'approve invoice'))
    talk.messages = [provider.user('Summary.')]
    await talk.session.compacted()
    await talk.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'a' } }] })
    await talk.turn(search(talk, provider, 'archive photo'))
    await talk.turn(call(talk, 'photo_archive'))
    await talk.turn({ text: 'Done.' })
    expect(talk.ran.map(({ name }) => name)).toEqual(['invoice_approve', 'photo_archive'])
    expect(refusals(talk)).toEqual([])
  })

  // claude-code #90085, #79728, #64909; copilot-cli #3812
  it('a subagent that starts with nothing finds tools by itself', async () => {
    const talk = await start()
    await talk.turn(search(talk, provider, 'approve invoice'))
    const child = await talk.session.fork('subagent')
    expect(child.loaded).toEqual([])
    talk.adapter = provider.adapter(child, { model: provider.model })
    talk.messages = [provider.user('Archive the photo.')]
    await talk.turn(search(talk, provider, 'archive photo'))
    await talk.turn(call(talk, 'photo_archive'))
    await talk.turn({ text: 'Done.' })
    expect(talk.ran).toHaveLength(1)
    expect(refusals(talk)).toEqual([])
  })

  // oh-my-claudecode #814; claude-code #25961; codex #30085; hermes #75944
  it.each([
    ['an exact name', 'invoice_approve', 'invoice_approve'],
    ['part of a name', 'approve', 'invoice_approve'],
    ['a name as another program writes it', 'invoiceApprove', 'invoice_approve'],
    ['words around it', 'the tool to approve an invoice for me', 'invoice_approve'],
  ])('is found by %s', async (_, query, name) => {
    const talk = await start()
    talk.toolSearch.catalogue.remove(
      fleet
        .map((tool) => tool.name)
        .filter((one) => one.endsWith('approve') && one !== 'invoice_approve'),
    )
    await talk.turn(search(talk, provider, query))
    expect(talk.session.loaded).toContain(name)
  })

  // the same, and hermes #106676
  it('words that say nothing find nothing', async () => {
    const talk = await start()
    await talk.turn(search(talk, provider, 'the of and please'))
    expect(talk.session.loaded).toEqual([])
    await talk.turn({ text: 'Nothing.' })
    expect(refusals(talk)).toEqual([])
  })

  // claude-code #82549, #95087, #70563; vllm #57324; CLIProxyAPI #3008
  it.each(provider.modes)(
    'an endpoint that refuses what mode %s needs is met half-way',
    async (mode) => {
      const talk = await start({
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
      await retrying(talk, () => talk.turn({ text: 'Hello.' }))
      await retrying(talk, () => talk.turn(search(talk, provider, 'approve invoice')))
      await retrying(talk, () => talk.turn(call(talk, 'invoice_approve')))
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toHaveLength(1)
      // what was learnt holds for the next conversation with this endpoint
      const other = await talk.toolSearch.session('b')
      const adapter = provider.adapter(other, {
        model: provider.model,
        endpoint: talk.server.url,
        mode,
      })
      expect(adapter.mode).toBe(talk.adapter.mode)
    },
  )

  // hermes #59267; Codewhale #1419; claude-code #60052
  it('a guessed call is answered with the schema', async () => {
    const talk = await start()
    await talk.turn(search(talk, provider, 'archive photo'))
    await talk.turn(call(talk, 'invoice_approve', { guess: 1 }))
    expect(talk.ran).toEqual([])
    expect(JSON.stringify(talk.messages.at(-1))).toMatch(/invoice_approve/)
    await talk.turn(call(talk, 'invoice_approve'))
    await talk.turn({ text: 'Done.' })
    expect(talk.ran).toHaveLength(1)
    expect(refusals(talk)).toEqual([])
  })
})

function search(talk: Conversation, provider: ProviderCase, query: string): ScriptedReply {
  const found = talk.toolSearch.search(query, { limit: 1 }).hits.map(({ tool }) => tool.name)
  return provider.search(talk.adapter.mode, query, found)
}

function call(talk: Conversation, name: string, args: unknown = { subject: 'a' }): ScriptedReply {
  const inner = { name, arguments: args }
  return {
    calls: [talk.adapter.mode === 'bridge' ? { name: 'call_tool', arguments: inner } : inner],
  }
}

/** What an application does with an error: it asks for the next mode and sends again. */
async function retrying(talk: Conversation, send: () => Promise<unknown>): Promise<void> {
  for (let attempt = 0; attempt < 6; attempt++) {
    try {
      await send()
      return
    } catch (error) {
      if (talk.adapter.downgrade(error) === undefined) throw error
    }
  }
  throw new Error('still refused')
}

function refusals(talk: Conversation) {
  return talk.server.requests.flatMap(({ problem }) => problem ?? [])
}
