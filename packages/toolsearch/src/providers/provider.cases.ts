import { afterEach, describe, expect, it } from 'vitest'
import { type Conversation, startConversation } from './converse.fixtures.ts'
import { describeExpect } from './expect.cases.ts'
import {
  type ProviderCase,
  type ScriptedReply,
  sampleTools,
  serverTool,
} from './provider.fixtures.ts'
import { expectStableBytes, rejections } from './recorded-requests.fixtures.ts'

/** The contract of every provider. Each provider's test file calls this first. */
export function describeProvider(provider: ProviderCase): void {
  const open: Conversation[] = []
  const start = async (options: Parameters<typeof startConversation>[1]) => {
    const conversation = await startConversation(provider, options)
    open.push(conversation)
    return conversation
  }
  afterEach(async () => {
    await Promise.all(open.splice(0).map((conversation) => conversation.close()))
  })

  describe.each(provider.modes)(`${provider.name} contract, mode %s`, (mode) => {
    const search = (query: string, ...found: string[]) => provider.search(mode, query, found)
    const callTool = (name: string, args: unknown): ScriptedReply => ({
      calls: [{ name: 'call_tool', arguments: { name, arguments: args } }],
    })
    const call = (name: string, args: unknown): ScriptedReply =>
      mode === 'bridge' ? callTool(name, args) : { calls: [{ name, arguments: args }] }
    /** Calls a tool that arrived after the first request: the list of stubs never changes. */
    const callLate = mode === 'stub' ? callTool : call

    it('finds and runs a tool, with complete and with streamed replies', async () => {
      for (const streamed of [false, true]) {
        const chat = await start({ mode })
        await chat.turn(search('approve invoice', 'invoice_approve'), { streamed })
        expect(chat.session.loaded).toContain('invoice_approve')
        await chat.turn(call('invoice_approve', { subject: 'number 7' }), { streamed })
        await chat.turn({ text: 'Approved.' }, { streamed })
        expect(chat.ran).toEqual([{ name: 'invoice_approve', arguments: { subject: 'number 7' } }])
        expect(rejections(chat)).toEqual([])
      }
    })

    it('executes the calls of a reply with step.run()', async () => {
      const execute = ({ subject }: Record<string, unknown>) => ({ approved: subject })
      const chat = await start({ mode, tools: sampleTools.map((tool) => ({ ...tool, execute })) })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      const { messages } = chat
      const step = await chat.turn(call('invoice_approve', { subject: 'number 7' }))
      chat.messages = [...messages, ...(await step.run())]
      await chat.turn({ text: 'Approved.' })
      expect(JSON.stringify(chat.accepted().at(-1)!.body)).toMatch(/approved\W+number 7/)
      expect(rejections(chat)).toEqual([])
    })

    it('loads the tools of a skill that the model reads, and never sends the skill as a tool', async () => {
      const skill = {
        name: 'month_end',
        description: 'How to close the books at the end of a month',
        skill: { instructions: 'Approve every invoice first.', tools: ['invoice_approve'] },
      }
      const chat = await start({ mode, tools: [...sampleTools, skill] })
      const reply = search('select:month_end', 'invoice_approve')
      await chat.turn(reply)
      expect(chat.session.loaded).toEqual(['invoice_approve'])
      await chat.turn(call('invoice_approve', { subject: 'number 7' }))
      await chat.turn({ text: 'Closed.' })
      expect(chat.ran).toHaveLength(1)
      expect(rejections(chat)).toEqual([])
      const bodies = chat.accepted().map(({ body }) => body as { tools?: unknown })
      for (const { tools } of bodies) expect(JSON.stringify(tools ?? [])).not.toContain('month_end')
      // A search that the service runs itself knows tools only.
      const knowsSkills = JSON.stringify(reply).includes('month_end')
      const last = JSON.stringify(bodies.at(-1))
      expect(last.includes('Approve every invoice first.')).toBe(knowsSkills)
    })

    it('produces valid requests after a search without hits', async () => {
      const chat = await start({ mode })
      await chat.turn(search('zzqx'))
      await chat.turn({ text: 'There is no such tool.' })
      await chat.turn({ text: 'Bye.' })
      expect(chat.session.loaded).toEqual([])
      expect(rejections(chat)).toEqual([])
    })

    it('lists every tool in full if there are only a few', async () => {
      const chat = await start({ mode, tools: sampleTools.slice(0, 3) })
      await chat.turn({ calls: [{ name: 'invoice_create', arguments: { subject: 'a' } }] })
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toHaveLength(1)
      expect(rejections(chat)).toEqual([])
    })

    // https://github.com/makenotion/notion-mcp-server/issues/341
    it('sends a tool whose schema has anyOf at the root', async () => {
      const tool = {
        name: 'invoice_find',
        description: 'Finds an invoice.',
        inputSchema: {
          type: 'object',
          properties: { number: { type: 'number' }, customer: { type: 'string' } },
          anyOf: [{ required: ['number'] }, { required: ['customer'] }],
        },
      }
      const chat = await start({ mode, tools: [tool, ...sampleTools] })
      await chat.turn(search('find invoice', 'invoice_find'))
      await chat.turn(call('invoice_find', { number: 7 }))
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toHaveLength(1)
      expect(rejections(chat)).toEqual([])
    })

    it.each([
      ['few', 3],
      ['many', 40],
    ])('runs a tool named call_tool, among %s tools', async (_, count) => {
      const tool = { ...serverTool('call_tool', 'Phones a tool maker.'), loading: 'eager' as const }
      const chat = await start({ mode, tools: [tool, ...sampleTools.slice(0, count)] })
      const name = chat.adapter.nameOf('call_tool')
      await chat.turn({ calls: [{ name, arguments: { subject: 'x' } }] })
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toEqual([{ name: 'call_tool', arguments: { subject: 'x' } }])
      expect(JSON.stringify(chat.accepted()[0]!.body)).toContain('Phones a tool maker.')
      expect(rejections(chat)).toEqual([])
    })

    // Calls to tools that are not loaded must get a useful answer
    it('answers a call with the schema if the same reply searches for its tool', async () => {
      const chat = await start({ mode })
      const { calls = [] } = call('photo_measure', { subject: 'guess' })
      const found = search('archive photo', 'photo_archive')
      const both = [...(found.calls ?? []), ...calls]
      await chat.turn({ ...found, calls: both, unconstrained: true })
      expect(chat.ran).toEqual([])
      expect(JSON.stringify(chat.messages.slice(1))).toContain('photo_measure')
      expect(chat.session.loaded).toContain('photo_measure')
      await chat.turn(call('photo_measure', { subject: 'known' }))
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toEqual([{ name: 'photo_measure', arguments: { subject: 'known' } }])
      expect(rejections(chat)).toEqual([])
    })

    it('answers invalid arguments with the schema', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      await chat.turn({ ...call('invoice_approve', { about: 7 }), unconstrained: true })
      expect(chat.ran).toEqual([])
      expect(JSON.stringify(chat.messages.at(-1))).toContain('What it is about.')
      await chat.turn({ text: 'Done.' })
      expect(rejections(chat)).toEqual([])
    })

    it('answers a call to an unknown tool with the closest names', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      const unknown = { name: 'invoice_aprove', arguments: {} }
      await chat.turn({ calls: [unknown], unconstrained: true })
      expect(chat.ran).toEqual([])
      expect(JSON.stringify(chat.messages.at(-1))).toContain('invoice_approve')
      await chat.turn({ text: 'Done.' })
      expect(rejections(chat)).toEqual([])
    })

    it('answers several calls in one reply, in order', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      const first = call('invoice_approve', { subject: 'one' }).calls!
      const second = call('invoice_approve', { subject: 'two' }).calls!
      await chat.turn({ calls: [...first, ...second] })
      await chat.turn({ text: 'Done.' })
      expect(chat.ran.map((run) => run.arguments)).toEqual([{ subject: 'one' }, { subject: 'two' }])
      expect(rejections(chat)).toEqual([])
    })

    it('loads the tool that the tool choice forces', async () => {
      const chat = await start({ mode })
      await chat.turn(
        { calls: [{ name: 'contract_measure', arguments: { subject: 'x' } }] },
        {
          toolChoice: 'contract_measure',
        },
      )
      expect(chat.ran).toEqual([{ name: 'contract_measure', arguments: { subject: 'x' } }])
      await chat.turn({ text: 'Done.' })
      expect(chat.session.loaded).toContain('contract_measure')
      expect(rejections(chat)).toEqual([])
    })

    // A reference to a removed tool must not break every later request
    it('produces valid requests after a loaded tool is removed and added again', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      await chat.turn(call('invoice_approve', { subject: 'a' }))
      chat.toolSearch.catalogue.remove(['invoice_approve'])
      await chat.turn({ text: 'It is gone.' })
      await chat.turn(search('archive photo', 'photo_archive'))
      chat.toolSearch.catalogue.add(sampleTools.filter((tool) => tool.name === 'invoice_approve'))
      await chat.turn({ text: 'It is back.' })
      await chat.turn(call('invoice_approve', { subject: 'b' }))
      await chat.turn({ text: 'Done.' })
      expect(rejections(chat)).toEqual([])
    })

    it('produces valid requests after all tools are removed', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      await chat.turn(call('invoice_approve', { subject: 'a' }))
      chat.toolSearch.catalogue.remove(sampleTools.map((tool) => tool.name))
      await chat.turn({ text: 'All are gone.' })
      await chat.turn({ text: 'Bye.' })
      expect(rejections(chat)).toEqual([])
    })

    // Compaction must not lose loaded tools
    it('keeps loaded tools callable after a summary replaces the history', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      await chat.turn(call('invoice_approve', { subject: 'a' }))
      chat.messages = [provider.user('Summary: an invoice was approved.')]
      await chat.session.compacted()
      await chat.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'b' } }] })
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toHaveLength(2)
      expect(rejections(chat)).toEqual([])
      const last = chat.accepted().at(-1)!
      expect(provider.service().promptOf(last.body).join('\n')).toContain(
        'Can approve one invoice.',
      )
    })

    it('restores the loaded tools from the messages alone', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      await chat.turn(search('translate contract', 'contract_translate'))
      await chat.turn(call('invoice_approve', { subject: 'a' }))
      const loaded = [...chat.session.loaded]
      const fresh = await chat.toolSearch.session('another process')
      chat.adapter = provider.adapter(fresh, { model: provider.model, mode })
      expect(await chat.adapter.rebuild(chat.messages)).toEqual(loaded)
      await chat.turn(call('contract_translate', { subject: 'b' }))
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toHaveLength(2)
      expect(rejections(chat)).toEqual([])
    })

    // Subagents must be able to find tools
    it('lets a subagent search independently', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      const child = await chat.session.fork('child', { loaded: true })
      chat.adapter = provider.adapter(child, { model: provider.model, mode })
      chat.messages = [provider.user('You are a subagent.')]
      await chat.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'a' } }] })
      await chat.turn(search('archive photo', 'photo_archive'))
      await chat.turn(call('photo_archive', { subject: 'b' }))
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toHaveLength(2)
      expect(chat.session.loaded).not.toContain('photo_archive')
      expect(rejections(chat)).toEqual([])
    })

    it('announces the tools of a server that connects late without changing earlier messages', async () => {
      const chat = await start({ mode, tools: sampleTools.slice(0, 20) })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      chat.toolSearch.catalogue.add([serverTool('weather_forecast', 'Forecasts the weather.')])
      await chat.turn(search('weather forecast', 'weather_forecast'))
      await chat.turn(callLate('weather_forecast', { subject: 'Oslo' }))
      await chat.turn({ text: 'Rain.' })
      expect(chat.ran).toEqual([{ name: 'weather_forecast', arguments: { subject: 'Oslo' } }])
      expect(rejections(chat)).toEqual([])
      // Hosted namespaces are part of the tool list, so new ones change the prompt.
      if (provider.stableModes.includes(mode) && mode !== 'hosted') {
        expectStablePrompt(chat, provider)
      }
    })

    it('keeps the prompt prefix when the first deferrable tools arrive mid-conversation', async () => {
      const eager = sampleTools.slice(0, 3).map((tool) => ({ ...tool, loading: 'eager' as const }))
      const chat = await start({ mode, tools: eager })
      chat.toolSearch.sources.set({ source: 'mcp:late', state: 'connecting' })
      await chat.turn({ calls: [{ name: 'invoice_create', arguments: { subject: 'a' } }] })
      chat.toolSearch.catalogue.add(sampleTools.slice(3))
      chat.toolSearch.sources.set({ source: 'mcp:late', state: 'ready' })
      await chat.turn(search('archive photo', 'photo_archive'))
      await chat.turn(callLate('photo_archive', { subject: 'b' }))
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toHaveLength(2)
      expect(rejections(chat)).toEqual([])
      if (provider.stableModes.includes(mode) && mode !== 'hosted') {
        expectStablePrompt(chat, provider)
      }
    })

    it('translates names that the provider rejects, in both directions', async () => {
      const long = `mcp__weather__${'very_long_'.repeat(10)}name`
      const invalidName = 'weather.forecast/daily'
      const tools = [
        ...sampleTools,
        serverTool(long, 'Counts hailstones.'),
        serverTool(invalidName, 'Counts rainbows.'),
      ]
      const chat = await start({ mode, tools })
      await chat.turn(search('hailstones', adapterName(chat, long)))
      await chat.turn(search('rainbows', adapterName(chat, invalidName)))
      expect(chat.session.loaded).toEqual([long, invalidName])
      await chat.turn(call(adapterName(chat, long), { subject: 'a' }))
      await chat.turn(call(adapterName(chat, invalidName), { subject: 'b' }))
      await chat.turn({ text: 'Done.' })
      expect(chat.ran.map(({ name }) => name)).toEqual([long, invalidName])
      expect(rejections(chat)).toEqual([])
      const fresh = await chat.toolSearch.session('fresh')
      expect(await provider.adapter(fresh, { mode }).rebuild(chat.messages)).toEqual([
        long,
        invalidName,
      ])
    })

    it('repairs a history with a missing message, and a second repair changes nothing', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      await chat.turn(call('invoice_approve', { subject: 'a' }))
      await chat.turn(search('archive photo', 'photo_archive'))
      await chat.turn(call('photo_archive', { subject: 'b' }))
      const complete = chat.messages
      for (let lost = 0; lost < complete.length; lost++) {
        const broken = complete.filter((_, at) => at !== lost)
        const { messages } = chat.adapter.repair(broken)
        expect(chat.adapter.repair(messages)).toEqual({ messages, repairs: [] })
        chat.messages = broken
        await chat.turn({ text: 'Still here.' })
      }
      expect(rejections(chat)).toEqual([])
    })

    it('returns a valid history unchanged', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      await chat.turn(call('invoice_approve', { subject: 'a' }))
      await chat.turn({ text: 'Done.' })
      const { messages, repairs } = chat.adapter.repair(chat.messages)
      expect(repairs).toEqual([])
      expect(messages).toBe(chat.messages)
    })

    it('continues from a snapshot', async () => {
      const chat = await start({ mode })
      await chat.turn(search('approve invoice', 'invoice_approve'))
      const json = JSON.parse(JSON.stringify(await chat.session.snapshot()))
      chat.adapter = provider.adapter(await chat.toolSearch.restore({ ...json, id: 'b' }), {
        model: provider.model,
        mode,
      })
      await chat.turn(call('invoice_approve', { subject: 'a' }))
      await chat.turn({ text: 'Done.' })
      expect(chat.ran).toHaveLength(1)
      expect(rejections(chat)).toEqual([])
      if (provider.stableModes.includes(mode)) expectStableBytes(chat)
    })
  })

  describeExpect(provider, start)

  // Loading a tool must not invalidate the prompt cache
  describe.each(provider.stableModes)(`${provider.name}, mode %s`, (mode) => {
    it('keeps every request a byte prefix of the next, over 15 turns and 6 loaded tools', async () => {
      const chat = await start({ mode })
      const names = sampleTools.map((tool) => tool.name)
      for (let turn = 0; turn < 15; turn++) {
        const name = names[(turn * 7) % names.length]!
        if (turn % 5 === 0 || turn % 5 === 2) {
          await chat.turn(provider.search(mode, name.replace('_', ' '), [name]))
        } else if (turn % 5 === 4) await chat.turn({ text: 'So far so good.' })
        else {
          const loaded = chat.session.loaded.at(-1)!
          const inner = { name: loaded, arguments: { subject: `turn ${turn}` } }
          await chat.turn({
            calls: [mode === 'bridge' ? { name: 'call_tool', arguments: inner } : inner],
          })
        }
      }
      expect(rejections(chat)).toEqual([])
      expect(chat.session.loaded.length).toBeGreaterThanOrEqual(6)
      expect(chat.ran).toHaveLength(6)
      expect(chat.accepted()).toHaveLength(15)
      expectStableBytes(chat)
    })
  })
}

/** The name that requests use for a tool. */
function adapterName(chat: Conversation, name: string): string {
  return chat.adapter.nameOf(name)
}

function expectStablePrompt(chat: Conversation, provider: ProviderCase): void {
  const prompts = chat.accepted().map(({ body }) => provider.service().promptOf(body))
  prompts.slice(1).forEach((prompt, at) => {
    const before = prompts[at]!
    expect(prompt.slice(0, before.length)).toEqual(before)
  })
}
