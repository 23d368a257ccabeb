import { afterEach, describe, expect, it } from 'vitest'
import { type Conversation, startConversation } from './converse.fixtures.ts'
import { fleet, type ProviderCase, type ScriptedReply, serverTool } from './provider.fixtures.ts'

/** The contract every provider keeps. Each provider's own test file starts by calling this. */
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
    const call = (name: string, args: unknown): ScriptedReply => ({
      calls: [
        mode === 'bridge'
          ? { name: 'call_tool', arguments: { name, arguments: args } }
          : { name, arguments: args },
      ],
    })

    it('finds a tool, runs it and goes on, with whole and with streamed replies', async () => {
      for (const streamed of [false, true]) {
        const talk = await start({ mode })
        await talk.turn(search('approve invoice', 'invoice_approve'), { streamed })
        expect(talk.session.loaded).toContain('invoice_approve')
        await talk.turn(call('invoice_approve', { subject: 'number 7' }), { streamed })
        await talk.turn({ text: 'Approved.' }, { streamed })
        expect(talk.ran).toEqual([{ name: 'invoice_approve', arguments: { subject: 'number 7' } }])
        expect(refusals(talk)).toEqual([])
      }
    })

    it('says when nothing fits, and stays sendable', async () => {
      const talk = await start({ mode })
      await talk.turn(search('zzqx'))
      await talk.turn({ text: 'There is no such tool.' })
      await talk.turn({ text: 'Bye.' })
      expect(talk.session.loaded).toEqual([])
      expect(refusals(talk)).toEqual([])
    })

    it('sends every tool as it is when there are few', async () => {
      const talk = await start({ mode, tools: fleet.slice(0, 3) })
      await talk.turn({ calls: [{ name: 'invoice_create', arguments: { subject: 'a' } }] })
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toHaveLength(1)
      expect(refusals(talk)).toEqual([])
    })

    // https://github.com/makenotion/notion-mcp-server/issues/341
    it('sends a tool whose schema has a choice at the top', async () => {
      const choice = {
        name: 'invoice_find',
        description: 'Finds an invoice.',
        inputSchema: {
          type: 'object',
          properties: { number: { type: 'number' }, customer: { type: 'string' } },
          anyOf: [{ required: ['number'] }, { required: ['customer'] }],
        },
      }
      const talk = await start({ mode, tools: [choice, ...fleet] })
      await talk.turn(search('find invoice', 'invoice_find'))
      await talk.turn(call('invoice_find', { number: 7 }))
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toHaveLength(1)
      expect(refusals(talk)).toEqual([])
    })

    it.each([
      ['few', 3],
      ['many', 40],
    ])('runs a tool that is named like our bridge, among %s', async (_, count) => {
      const tool = { ...serverTool('call_tool', 'Phones a tool maker.'), loading: 'eager' as const }
      const talk = await start({ mode, tools: [tool, ...fleet.slice(0, count)] })
      const name = talk.adapter.nameOf('call_tool')
      await talk.turn({ calls: [{ name, arguments: { subject: 'x' } }] })
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toEqual([{ name: 'call_tool', arguments: { subject: 'x' } }])
      expect(JSON.stringify(talk.accepted()[0]!.body)).toContain('Phones a tool maker.')
      expect(refusals(talk)).toEqual([])
    })

    // peers.md 5.12: blind calls are repaired, not failed
    it('answers a call that came with its own discovery with the schema, and does not run it', async () => {
      const talk = await start({ mode })
      const { calls = [] } = call('photo_measure', { subject: 'guess' })
      const found = search('archive photo', 'photo_archive')
      await talk.turn({ ...found, calls: [...(found.calls ?? []), ...calls] })
      expect(talk.ran).toEqual([])
      expect(JSON.stringify(talk.messages.slice(1))).toContain('photo_measure')
      expect(talk.session.loaded).toContain('photo_measure')
      await talk.turn(call('photo_measure', { subject: 'known' }))
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toEqual([{ name: 'photo_measure', arguments: { subject: 'known' } }])
      expect(refusals(talk)).toEqual([])
    })

    it('answers wrong arguments with the schema', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      await talk.turn(call('invoice_approve', { about: 7 }))
      expect(talk.ran).toEqual([])
      expect(JSON.stringify(talk.messages.at(-1))).toContain('What it is about.')
      await talk.turn({ text: 'Done.' })
      expect(refusals(talk)).toEqual([])
    })

    it('answers a call of a tool that is not there with the closest names', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      await talk.turn({ calls: [{ name: 'invoice_aprove', arguments: {} }] })
      expect(talk.ran).toEqual([])
      expect(JSON.stringify(talk.messages.at(-1))).toContain('invoice_approve')
      await talk.turn({ text: 'Done.' })
      expect(refusals(talk)).toEqual([])
    })

    it('answers several calls of one reply in one go, in order', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      const one = call('invoice_approve', { subject: 'one' }).calls!
      const two = call('invoice_approve', { subject: 'two' }).calls!
      await talk.turn({ calls: [...one, ...two] })
      await talk.turn({ text: 'Done.' })
      expect(talk.ran.map((run) => run.arguments)).toEqual([{ subject: 'one' }, { subject: 'two' }])
      expect(refusals(talk)).toEqual([])
    })

    it('loads the tool that a forced choice names', async () => {
      const talk = await start({ mode })
      await talk.turn(
        { calls: [{ name: 'contract_measure', arguments: { subject: 'x' } }] },
        {
          toolChoice: 'contract_measure',
        },
      )
      expect(talk.ran).toEqual([{ name: 'contract_measure', arguments: { subject: 'x' } }])
      await talk.turn({ text: 'Done.' })
      expect(talk.session.loaded).toContain('contract_measure')
      expect(refusals(talk)).toEqual([])
    })

    // peers.md 5.2: a reference to a tool that is gone ends every later request
    it('survives that a loaded tool disappears, and that it comes back', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      await talk.turn(call('invoice_approve', { subject: 'a' }))
      talk.toolSearch.catalogue.remove(['invoice_approve'])
      await talk.turn({ text: 'It is gone.' })
      await talk.turn(search('archive photo', 'photo_archive'))
      talk.toolSearch.catalogue.add(fleet.filter((tool) => tool.name === 'invoice_approve'))
      await talk.turn({ text: 'It is back.' })
      await talk.turn(call('invoice_approve', { subject: 'b' }))
      await talk.turn({ text: 'Done.' })
      expect(refusals(talk)).toEqual([])
    })

    it('survives that every tool disappears', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      await talk.turn(call('invoice_approve', { subject: 'a' }))
      talk.toolSearch.catalogue.remove(fleet.map((tool) => tool.name))
      await talk.turn({ text: 'All are gone.' })
      await talk.turn({ text: 'Bye.' })
      expect(refusals(talk)).toEqual([])
    })

    // peers.md 5.3: compaction must not lose loaded tools
    it('keeps loaded tools callable when a summary replaces the history', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      await talk.turn(call('invoice_approve', { subject: 'a' }))
      talk.messages = [provider.user('Summary: an invoice was approved.')]
      await talk.session.compacted()
      await talk.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'b' } }] })
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toHaveLength(2)
      expect(refusals(talk)).toEqual([])
      const last = talk.accepted().at(-1)!
      expect(provider.service().promptOf(last.body).join('\n')).toContain(
        'Can approve one invoice.',
      )
    })

    it('is rebuilt from its messages alone', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      await talk.turn(search('translate contract', 'contract_translate'))
      await talk.turn(call('invoice_approve', { subject: 'a' }))
      const loaded = [...talk.session.loaded]
      const fresh = await talk.toolSearch.session('another process')
      talk.adapter = provider.adapter(fresh, { model: provider.model, mode })
      expect(await talk.adapter.rebuild(talk.messages)).toEqual(loaded)
      await talk.turn(call('contract_translate', { subject: 'b' }))
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toHaveLength(2)
      expect(refusals(talk)).toEqual([])
    })

    // peers.md 5.4: subagents must be able to find tools
    it('lets a subagent search on its own', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      const child = await talk.session.fork('child', { loaded: true })
      talk.adapter = provider.adapter(child, { model: provider.model, mode })
      talk.messages = [provider.user('You are a subagent.')]
      await talk.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'a' } }] })
      await talk.turn(search('archive photo', 'photo_archive'))
      await talk.turn(call('photo_archive', { subject: 'b' }))
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toHaveLength(2)
      expect(talk.session.loaded).not.toContain('photo_archive')
      expect(refusals(talk)).toEqual([])
    })

    it('tells of a server that connects late without changing what was sent', async () => {
      const talk = await start({ mode, tools: fleet.slice(0, 20) })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      talk.toolSearch.catalogue.add([serverTool('weather_forecast', 'Forecasts the weather.')])
      await talk.turn(search('weather forecast', 'weather_forecast'))
      await talk.turn(call('weather_forecast', { subject: 'Oslo' }))
      await talk.turn({ text: 'Rain.' })
      expect(talk.ran).toEqual([{ name: 'weather_forecast', arguments: { subject: 'Oslo' } }])
      expect(refusals(talk)).toEqual([])
      // what a hosted search can find stands in the list, where the model sees its group
      if (provider.stableModes.includes(mode) && !['stub', 'hosted'].includes(mode)) {
        expectStablePrompt(talk, provider)
      }
    })

    it('keeps the prompt when the first tools arrive while the conversation runs', async () => {
      const eager = fleet.slice(0, 3).map((tool) => ({ ...tool, loading: 'eager' as const }))
      const talk = await start({ mode, tools: eager })
      talk.toolSearch.sources.set({ source: 'mcp:late', state: 'connecting' })
      await talk.turn({ calls: [{ name: 'invoice_create', arguments: { subject: 'a' } }] })
      talk.toolSearch.catalogue.add(fleet.slice(3))
      talk.toolSearch.sources.set({ source: 'mcp:late', state: 'ready' })
      await talk.turn(search('archive photo', 'photo_archive'))
      await talk.turn(call('photo_archive', { subject: 'b' }))
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toHaveLength(2)
      expect(refusals(talk)).toEqual([])
      if (provider.stableModes.includes(mode) && !['stub', 'hosted'].includes(mode)) {
        expectStablePrompt(talk, provider)
      }
    })

    it('sends names the provider refuses under others, and understands them again', async () => {
      const long = `mcp__weather__${'very_long_'.repeat(10)}name`
      const odd = 'weather.forecast/daily'
      const tools = [
        ...fleet,
        serverTool(long, 'Counts hailstones.'),
        serverTool(odd, 'Counts rainbows.'),
      ]
      const talk = await start({ mode, tools })
      await talk.turn(search('hailstones', adapterName(talk, long)))
      await talk.turn(search('rainbows', adapterName(talk, odd)))
      expect(talk.session.loaded).toEqual([long, odd])
      await talk.turn(call(adapterName(talk, long), { subject: 'a' }))
      await talk.turn(call(adapterName(talk, odd), { subject: 'b' }))
      await talk.turn({ text: 'Done.' })
      expect(talk.ran.map(({ name }) => name)).toEqual([long, odd])
      expect(refusals(talk)).toEqual([])
      const fresh = await talk.toolSearch.session('fresh')
      expect(await provider.adapter(fresh, { mode }).rebuild(talk.messages)).toEqual([long, odd])
    })

    it('makes a history with lost calls and results sendable, once', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      await talk.turn(call('invoice_approve', { subject: 'a' }))
      await talk.turn(search('archive photo', 'photo_archive'))
      await talk.turn(call('photo_archive', { subject: 'b' }))
      const whole = talk.messages
      for (let lost = 0; lost < whole.length; lost++) {
        const broken = whole.filter((_, at) => at !== lost)
        const { messages } = talk.adapter.repair(broken)
        expect(talk.adapter.repair(messages)).toEqual({ messages, repairs: [] })
        talk.messages = broken
        await talk.turn({ text: 'Still here.' })
      }
      expect(refusals(talk)).toEqual([])
    })

    it('leaves a history that is fine as it is', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      await talk.turn(call('invoice_approve', { subject: 'a' }))
      await talk.turn({ text: 'Done.' })
      const { messages, repairs } = talk.adapter.repair(talk.messages)
      expect(repairs).toEqual([])
      expect(messages).toBe(talk.messages)
    })

    it('is restored from a snapshot', async () => {
      const talk = await start({ mode })
      await talk.turn(search('approve invoice', 'invoice_approve'))
      const json = JSON.parse(JSON.stringify(talk.session.snapshot()))
      talk.adapter = provider.adapter(await talk.toolSearch.restore({ ...json, id: 'b' }), {
        model: provider.model,
        mode,
      })
      await talk.turn(call('invoice_approve', { subject: 'a' }))
      await talk.turn({ text: 'Done.' })
      expect(talk.ran).toHaveLength(1)
      expect(refusals(talk)).toEqual([])
      if (provider.stableModes.includes(mode)) expectStableBytes(talk)
    })
  })

  // peers.md 5.1: do not break the prompt cache when a tool loads
  describe.each(provider.stableModes)(`${provider.name}, mode %s`, (mode) => {
    it('begins every request with the bytes of the one before, over 30 turns and 12 loads', async () => {
      const talk = await start({ mode })
      const names = fleet.map((tool) => tool.name)
      for (let turn = 0; turn < 30; turn++) {
        const name = names[(turn * 7) % names.length]!
        if (turn % 5 === 0 || turn % 5 === 2) {
          await talk.turn(provider.search(mode, name.replace('_', ' '), [name]))
        } else if (turn % 5 === 4) await talk.turn({ text: 'So far so good.' })
        else {
          const loaded = talk.session.loaded.at(-1)!
          const inner = { name: loaded, arguments: { subject: `turn ${turn}` } }
          await talk.turn({
            calls: [mode === 'bridge' ? { name: 'call_tool', arguments: inner } : inner],
          })
        }
      }
      expect(refusals(talk)).toEqual([])
      expect(talk.session.loaded.length).toBeGreaterThanOrEqual(12)
      expect(talk.ran).toHaveLength(12)
      expect(talk.accepted()).toHaveLength(30)
      expectStableBytes(talk)
    })
  })
}

function refusals(talk: Conversation) {
  return talk.server.requests.flatMap(({ problem }) => problem ?? [])
}

/** The name that a tool travels under. */
function adapterName(talk: Conversation, name: string): string {
  return talk.adapter.nameOf(name)
}

/** Every request is the one before, cut after its last message, and more. */
export function expectStableBytes(talk: Conversation): void {
  const texts = talk.accepted().map((request) => request.text)
  texts.slice(1).forEach((text, at) => {
    const before = texts[at]!
    expect(text.slice(0, lastMessageEnd(before))).toBe(before.slice(0, lastMessageEnd(before)))
  })
}

function expectStablePrompt(talk: Conversation, provider: ProviderCase): void {
  const prompts = talk.accepted().map(({ body }) => provider.service().promptOf(body))
  prompts.slice(1).forEach((prompt, at) => {
    const before = prompts[at]!
    expect(prompt.slice(0, before.length)).toEqual(before)
  })
}

/** Where the list of messages ends: what comes after it may change with every request. */
function lastMessageEnd(text: string): number {
  const start = /"(?:messages|input|contents)":\[/.exec(text)!
  let depth = 0
  let isQuoted = false
  for (let at = start.index + start[0].length - 1; at < text.length; at++) {
    const sign = text[at]
    if (isQuoted) {
      if (sign === '\\') at++
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') isQuoted = true
    else if (sign === '[' || sign === '{') depth++
    else if (sign === ']' || sign === '}') {
      depth--
      if (depth === 0) return at
    }
  }
  return text.length
}
