import Anthropic from '@anthropic-ai/sdk'
import { afterEach, describe, expect, it } from 'vitest'
import { prefixBreaks } from '../../frameworks/long-conversation.fixtures.ts'
import { everruns, everrunsLatest } from '../../index.ts'
import { createToolSearch } from '../../toolsearch.ts'
import { type Conversation, startConversation } from '../converse.fixtures.ts'
import { type AnyAdapter, sampleTools, serverTool } from '../provider.fixtures.ts'
import type { Repair } from '../provider.ts'
import { anthropic } from './anthropic.ts'
import { anthropicCase } from './anthropic-case.fixtures.ts'

const provider = anthropicCase('Anthropic', Anthropic)
const model = 'claude-fable-5-1'
const declaring = ['reference', 'native']

const open: Conversation[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((chat) => chat.close()))
})

const start = async (options: Parameters<typeof startConversation>[1]) => {
  const repairs: Repair[] = []
  const onRepair = (made: readonly Repair[]) => repairs.push(...made)
  const chat = await startConversation(provider, { model, onRepair, ...options })
  open.push(chat)
  return { chat, repairs }
}
const problems = (chat: Conversation) =>
  chat.server.requests.flatMap(({ problem }) => problem ?? [])
const breaks = (chat: Conversation) => prefixBreaks(provider.service(), chat.server.requests)
const search = (mode: string, name: string) => ({
  thinking: 'Where is it?',
  ...provider.search(mode, name.replace('_', ' '), [name]),
})
const call = (name: string) => ({
  thinking: 'I need it.',
  calls: [{ name, arguments: { subject: 'x' } }],
})
const lastBody = (chat: Conversation) => chat.accepted().at(-1)!.body as unknown as Body
interface Body {
  messages: { role: string; content: { type: string; [key: string]: unknown }[] }[]
  tools: { name: string; description: string; defer_loading?: boolean; cache_control?: unknown }[]
}

describe.each(declaring)('a removed loaded tool in mode %s', (mode) => {
  it('stays declared with its last definition, and calls to it get an answer', async () => {
    const { chat, repairs } = await start({ mode })
    await chat.turn(search(mode, 'invoice_approve'))
    await chat.turn(call('invoice_approve'))
    chat.toolSearch.catalogue.remove(['invoice_approve'])
    await chat.turn({ ...call('invoice_approve'), unconstrained: true })
    await chat.turn({ text: 'It is gone.' })
    expect(lastBody(chat).tools.find(({ name }) => name === 'invoice_approve')).toMatchObject({
      description: 'Can approve one invoice.',
      defer_loading: true,
    })
    expect(JSON.stringify(chat.messages)).toContain('is no longer available')
    expect(chat.ran).toHaveLength(1)
    expect(repairs).toEqual([])
    expect(problems(chat)).toEqual([])
    expect(breaks(chat)).toEqual([])
  })

  it('keeps the prompt when the tool is added again', async () => {
    const { chat } = await start({ mode })
    await chat.turn(search(mode, 'invoice_approve'))
    chat.toolSearch.catalogue.remove(['invoice_approve'])
    await chat.turn({ thinking: 'Hm.', text: 'It is gone.' })
    chat.toolSearch.catalogue.add(sampleTools.filter(({ name }) => name === 'invoice_approve'))
    await chat.turn({ thinking: 'Hm.', text: 'It is back.' })
    await chat.turn(call('invoice_approve'))
    await chat.turn({ text: 'Done.' })
    expect(chat.ran).toHaveLength(1)
    expect(problems(chat)).toEqual([])
    expect(breaks(chat)).toEqual([])
  })

  it('keeps a name that requests translate', async () => {
    const name = 'weather.forecast/daily'
    const tools = [...sampleTools, serverTool(name, 'Counts rainbows.')]
    const { chat } = await start({ mode, tools })
    const alias = chat.adapter.nameOf(name)
    await chat.turn(
      mode.startsWith('native')
        ? { search: { found: [alias] }, text: 'Found.' }
        : { calls: [{ name: 'tool_search', arguments: { query: 'rainbows', max_results: 1 } }] },
    )
    chat.toolSearch.catalogue.remove([name])
    await chat.turn({ thinking: 'Hm.', text: 'It is gone.' })
    await chat.turn({ text: 'Done.' })
    expect(lastBody(chat).tools.find((tool) => tool.name === alias)?.description).toBe(
      'Counts rainbows.',
    )
    expect(problems(chat)).toEqual([])
    expect(breaks(chat)).toEqual([])
  })

  it('becomes a stub if the process was restarted without it', async () => {
    const { chat, repairs } = await start({ mode })
    await chat.turn(provider.search(mode, 'approve invoice', ['invoice_approve']))
    await chat.turn({ calls: [{ name: 'invoice_approve', arguments: { subject: 'x' } }] })
    const tools = sampleTools.filter(({ name }) => name !== 'invoice_approve')
    const session = await createToolSearch({ tools }).session('new process')
    chat.adapter = provider.adapter(session, { model: 'claude-opus-5', mode })
    await chat.turn({ text: 'Where is it?' })
    expect(lastBody(chat).tools.find(({ name }) => name === 'invoice_approve')).toMatchObject({
      description: 'This tool is no longer available.',
      defer_loading: true,
    })
    expect(problems(chat)).toEqual([])
    expect(repairs).toEqual([])
  })
})

it('does not show a revoked tool to a caller who lost access', async () => {
  const toolSearch = createToolSearch({ tools: sampleTools })
  const { chat } = await start({ mode: 'reference' })
  await chat.turn(search('reference', 'invoice_approve'))
  const session = await toolSearch.session('b', {
    visible: sampleTools.map(({ name }) => name).filter((name) => name !== 'invoice_approve'),
  })
  chat.adapter = provider.adapter(session, { model: 'claude-opus-5', mode: 'reference' })
  await session.load(['photo_archive'])
  const request = (await chat.adapter.request({ messages: chat.messages })) as Body
  expect(JSON.stringify(request.tools)).not.toContain('Can approve one invoice.')
})

it('sends only the last four cache breakpoints of tools', async () => {
  const tools = sampleTools.slice(0, 6).map((tool) => ({
    ...tool,
    cacheControl: { type: 'ephemeral' as const },
  }))
  const { chat } = await start({ tools, search: { activation: 'never' } })
  await chat.turn({ text: 'Hello.' })
  expect(problems(chat)).toEqual([])
  const marks = lastBody(chat).tools.map((tool) => tool.cache_control !== undefined)
  expect(marks).toEqual([false, false, true, true, true, true])
})

describe('preserved thinking after a change before the messages', () => {
  const eager = { ...serverTool('clock_read', 'Reads the clock.'), loading: 'eager' as const }
  const few = sampleTools.slice(0, 3)
  const changes: {
    it: string
    options: Parameters<typeof start>[0]
    change: (chat: Conversation) => void
  }[] = [
    {
      it: 'an eager tool is removed',
      options: { tools: [...sampleTools, eager] },
      change: ({ toolSearch }) => toolSearch.catalogue.remove('clock_read'),
    },
    {
      it: 'an eager tool is changed',
      options: { tools: [...sampleTools, eager] },
      change: ({ toolSearch }) =>
        toolSearch.catalogue.add([{ ...eager, description: 'Reads a watch.' }], {
          duplicates: 'replace',
        }),
    },
    {
      it: 'a tool is added before deferral starts',
      options: { tools: few },
      change: ({ toolSearch }) => toolSearch.catalogue.add([sampleTools[9]!]),
    },
    {
      it: 'a tool is removed before deferral starts',
      options: { tools: few },
      change: ({ toolSearch }) => toolSearch.catalogue.remove(few[1]!.name),
    },
    {
      it: 'deferral starts',
      options: { tools: few, search: { activation: { toolCount: 20 } } },
      change: ({ toolSearch }) => toolSearch.catalogue.add(sampleTools.slice(3)),
    },
  ]

  it.each(changes)('is dropped and reported when $it', async ({ options, change }) => {
    const { chat, repairs } = await start(options)
    await chat.turn({ thinking: 'Hm.', text: 'Hello.' })
    await chat.turn({ thinking: 'Hm.', text: 'Yes.' })
    expect(repairs).toEqual([])
    change(chat)
    await chat.turn({ thinking: 'Oh.', text: 'Something changed.' })
    await chat.turn({ text: 'Done.' })
    expect(problems(chat)).toEqual([])
    expect(repairs.map(({ kind }) => kind)).toEqual(['reasoning-dropped', 'reasoning-dropped'])
    expect(JSON.stringify(lastBody(chat))).toContain('Oh.')
  })

  it('is dropped when a tool changes that a message refers to', async () => {
    const { chat } = await start({ mode: 'reference' })
    await chat.turn(search('reference', 'invoice_approve'))
    await chat.turn(call('invoice_approve'))
    const changed = serverTool('invoice_approve', 'Approves it.')
    chat.toolSearch.catalogue.add([changed], { duplicates: 'replace' })
    await chat.turn({ thinking: 'Oh.', text: 'Something changed.' })
    await chat.turn({ text: 'Done.' })
    expect(problems(chat)).toEqual([])
  })

  it('is dropped again if the request with the change got no reply', async () => {
    const { chat, repairs } = await start({ tools: [...sampleTools, eager] })
    await chat.turn({ thinking: 'Hm.', text: 'Hello.' })
    chat.toolSearch.catalogue.remove('clock_read')
    await chat.adapter.request({ messages: [...chat.messages, provider.user('Lost.')] })
    await chat.turn({ text: 'Done.' })
    expect(problems(chat)).toEqual([])
    expect(repairs.map(({ kind }) => kind)).toEqual(['reasoning-dropped', 'reasoning-dropped'])
  })
})

describe('preserved thinking', () => {
  const cutHistory = async (options: Parameters<typeof start>[0]) => {
    const started = await start({ mode: 'reference', ...options })
    const { chat } = started
    await chat.turn(search('reference', 'invoice_approve'))
    await chat.turn(call('invoice_approve'))
    await chat.turn(call('invoice_approve'))
    return started
  }

  it('drops the thinking after a rewritten message and reports it', async () => {
    const { chat, repairs } = await cutHistory({})
    // the result of the first call is lost
    chat.messages = chat.messages.filter((_, at) => at !== 4)
    await chat.turn({ thinking: 'New.', text: 'Done.' })
    await chat.turn({ text: 'Bye.' })
    expect(problems(chat)).toEqual([])
    const dropped = repairs.filter(({ kind }) => kind === 'reasoning-dropped')
    expect(dropped).toEqual([{ kind: 'reasoning-dropped', about: 'thinking', at: 4 }])
    // the thinking before the change stays, and so does what the model thought afterwards
    expect(JSON.stringify(lastBody(chat)).match(/"type":"thinking"/g)).toHaveLength(3)
  })

  it('drops all thinking if a tool must be listed because its reference was lost', async () => {
    const { chat, repairs } = await cutHistory({})
    chat.messages = chat.messages.filter((_, at) => at !== 2)
    await chat.turn({ thinking: 'New.', text: 'Done.' })
    await chat.turn({ text: 'Bye.' })
    expect(problems(chat)).toEqual([])
    expect(repairs.filter(({ kind }) => kind === 'reasoning-dropped')).toHaveLength(3)
    expect(JSON.stringify(lastBody(chat)).match(/"type":"thinking"/g)).toHaveLength(1)
  })

  it('drops thinking in mode append whenever the tool list grows', async () => {
    const { chat } = await start({ mode: 'append' })
    await chat.turn(search('append', 'invoice_approve'))
    await chat.turn(call('invoice_approve'))
    await chat.turn(search('append', 'photo_archive'))
    await chat.turn(call('photo_archive'))
    await chat.turn({ text: 'Done.' })
    expect(chat.ran).toHaveLength(2)
    expect(problems(chat)).toEqual([])
  })

  it('keeps thinking for models that do not check it', async () => {
    const { chat, repairs } = await cutHistory({ model: 'claude-sonnet-4-5' })
    const broken = chat.messages.filter((_, at) => at !== 2)
    await chat.adapter.request({ messages: broken })
    expect(repairs.map(({ kind }) => kind)).not.toContain('reasoning-dropped')
  })

  it('keeps the thinking of open calls if the model is unknown', async () => {
    const { chat, repairs } = await cutHistory({ model: undefined })
    const broken = chat.messages.filter((_, at) => at !== 4)
    await chat.adapter.request({ messages: broken })
    expect(repairs.filter(({ kind }) => kind === 'reasoning-dropped')).toEqual([])
    await chat.adapter.request({ messages: [...broken, provider.user('Stop')] })
    expect(repairs.filter(({ kind }) => kind === 'reasoning-dropped')).toHaveLength(1)
  })

  it.each(provider.stableModes)('recovers once from the binding error in mode %s', async (mode) => {
    const { chat, repairs } = await start({ mode })
    await chat.turn({ thinking: 'Hm.', text: 'One.' })
    chat.say('Go on.')
    const changed = { messages: chat.messages, system: 'You are someone else.' }
    const request = await chat.adapter.request(changed)
    const error = await provider.send(chat.server.url, request).catch((caught: unknown) => caught)
    expect(String(error)).toContain('bound to a different conversation')

    expect(chat.adapter.downgrade(error)).toBe(mode)
    const second = await chat.adapter.request(changed)
    const reply = await provider.send(chat.server.url, second)
    expect(repairs).toEqual([{ kind: 'reasoning-dropped', about: 'thinking', at: 1 }])
    expect(chat.adapter.mode).toBe(mode)

    // the same error again, without a reply in between, is the caller's
    const third = await start({ mode })
    expect(third.chat.adapter.downgrade(error)).toBe(mode)
    await third.chat.adapter.request(changed)
    expect(third.chat.adapter.downgrade(error)).toBeUndefined()
    await third.chat.adapter.handle(reply)
    expect(third.chat.adapter.downgrade(error)).toBe(mode)
  })

  it('repeats the notice of a rejected request', async () => {
    const { chat } = await start({ mode: 'reference' })
    await chat.turn({ thinking: 'Hm.', text: 'One.' })
    chat.say('Go on.')
    chat.toolSearch.catalogue.remove(['photo_archive'])
    const options = { messages: chat.messages, system: 'You are someone else.' }
    const rejected = await chat.adapter.request(options)
    const error = await provider.send(chat.server.url, rejected).catch((caught: unknown) => caught)
    chat.adapter.downgrade(error)
    const { messages } = (await chat.adapter.request(options)) as Body
    expect(JSON.stringify(messages.at(-1))).toContain('No longer available')
  })
})

describe.each([false, true])('signed compaction, streamed: %s', (streamed) => {
  const send = async (adapter: AnyAdapter, url: string, messages: readonly unknown[]) => {
    const request = await adapter.request({ messages, system: 'You are careful.' })
    const betas = ['compact-2026-09-04']
    const params = { betas, ...request }
    if (!streamed) return { request, step: await adapter.handle(await provider.send(url, params)) }
    const collector = adapter.collect()
    for await (const event of await provider.stream(url, params)) collector.add(event)
    return { request, step: await adapter.handle(collector.reply()) }
  }

  it.each(['reference', 'native'])('continues from the summary in mode %s', async (mode) => {
    const { chat, repairs } = await start({ mode })
    await chat.turn(search(mode, 'invoice_approve'))
    await chat.turn(call('invoice_approve'))
    await chat.turn({ text: 'Approved.' })
    const before = lastBody(chat)

    const addition = {
      type: 'tool_addition',
      tool: { type: 'tool_reference', name: 'invoice_approve' },
    }
    chat.next({ compaction: { content: 'An invoice was approved.', toolChanges: [addition] } })
    chat.say('Go on.')
    const compacted = await send(chat.adapter, chat.server.url, chat.messages)
    expect(compacted.step.shouldContinue).toBe(true)

    const history = [...compacted.request.messages, ...(await compacted.step.run())]
    chat.next(call('invoice_approve'))
    const { request, step } = await send(chat.adapter, chat.server.url, [
      ...history,
      provider.user('Approve another one.'),
    ])
    expect(step.calls).toMatchObject([{ name: 'invoice_approve' }])
    expect(request.messages[0]).toMatchObject({
      role: 'assistant',
      content: [{ type: 'compaction', tool_changes: [addition] }],
    })
    expect(request.messages[0].content).toHaveLength(1)
    expect(request.tools).toEqual(before.tools)
    expect(repairs).toEqual([
      { kind: 'history-compacted', about: 'compaction', at: history.length - 1 },
    ])

    // the tool is removed, and the summary still names it
    chat.toolSearch.catalogue.remove(['invoice_approve'])
    chat.next({ text: 'It is gone.' })
    await send(chat.adapter, chat.server.url, [...request.messages, ...step.messages(['Done'])])
    expect(problems(chat)).toEqual([])
  })
})

it('leaves an unsigned summary where it is', async () => {
  const { chat, repairs } = await start({ mode: 'reference' })
  const summary = { type: 'compaction', content: 'We talked.', encrypted_content: null }
  const messages = [
    { role: 'assistant', content: [summary, { type: 'text', text: 'Hi' }] },
    provider.user('Hello'),
  ]
  const request = (await chat.adapter.request({ messages })) as Body
  expect(request.messages).toEqual(messages)
  expect(repairs).toEqual([])
})

it.each([false, true])('continues a paused native search, streamed: %s', async (streamed) => {
  const { chat, repairs } = await start({ mode: 'native' })
  const paused = { thinking: 'Hm.', search: { found: ['invoice_approve'] }, pauses: true }
  const step = await chat.turn(paused, { streamed })
  expect(step.shouldContinue).toBe(true)
  await chat.turn(
    { search: { found: ['invoice_approve'] }, ...call('invoice_approve') },
    { streamed },
  )
  await chat.turn({ text: 'Done.' }, { streamed })
  expect(chat.ran).toEqual([{ name: 'invoice_approve', arguments: { subject: 'x' } }])
  expect(repairs).toEqual([])
  expect(problems(chat)).toEqual([])
  expect(breaks(chat)).toEqual([])
})

it.each(['reference', 'inline-addition'])(
  'tells about changed tools after a paused turn, not before it, in mode %s',
  async (mode) => {
    const { chat } = await start({ mode })
    await chat.turn(search(mode, 'invoice_approve'))
    await chat.turn({ thinking: 'Hm.', text: 'A moment.', pauses: true })
    chat.toolSearch.catalogue.remove(['invoice_approve'])
    const before = JSON.stringify(chat.messages)
    await chat.turn({ text: 'Here I am.' })
    expect(JSON.stringify(lastBody(chat).messages)).toBe(before)
    await chat.turn({ text: 'Bye.' })
    expect(JSON.stringify(lastBody(chat).messages.slice(-2))).toContain('No longer available')
    expect(problems(chat)).toEqual([])
    expect(breaks(chat)).toEqual([])
  },
)

// growing-history.deep.test.ts sends such requests in a conversation.
it('declares at most 10,000 tools with the extra ones', async () => {
  const tools = Array.from({ length: 10_050 }, (_, at) =>
    serverTool(`thing_${at}`, 'Does a thing.'),
  )
  const session = await createToolSearch({ tools }).session('a')
  const extraTools = ['one', 'two', 'three'].map((name) => ({
    name,
    input_schema: { type: 'object' as const },
  }))
  const adapter = anthropic(session, { mode: 'reference', extraTools })
  const { tools: declared } = await adapter.request({ messages: [{ role: 'user', content: 'Hi' }] })
  expect(declared).toHaveLength(10_000)
  expect(declared?.filter(({ name }) => !name.includes('_'))).toEqual(extraTools)
})

it('repeats the toolset of a call in its result', async () => {
  const { chat } = await start({ mode: 'reference', tools: sampleTools.slice(0, 3) })
  const content = [
    {
      type: 'tool_use',
      id: 'a',
      name: 'invoice_create',
      input: { subject: 'x' },
      toolset_name: 'crm',
    },
    { type: 'tool_use', id: 'b', name: 'invoice_create', input: { subject: 'y' } },
  ]
  const step = await chat.adapter.handle({ content, stop_reason: 'tool_use' })
  const [reply, results] = step.messages(['one', 'two']) as Body['messages']
  expect(results?.content[0]).toMatchObject({ tool_use_id: 'a', toolset_name: 'crm' })
  expect(results?.content[1]).not.toHaveProperty('toolset_name')
  // and in the placeholder for a lost result
  const { messages } = chat.adapter.repair([provider.user('Hello'), reply])
  expect((messages.at(-1) as Body['messages'][0]).content[0]).toMatchObject({ toolset_name: 'crm' })
})

it('puts the cache control on the search tool if it is the only tool listed in mode native', async () => {
  const session = await createToolSearch({ tools: sampleTools }).session('a')
  const cacheControl = { type: 'ephemeral' } as const
  const adapter = anthropic(session, { mode: 'native', cacheControl })
  const { tools } = await adapter.request({ messages: [{ role: 'user', content: 'Hi' }] })
  expect(tools?.[0]).toMatchObject({ cache_control: cacheControl })
  expect(JSON.stringify(tools?.slice(1))).not.toContain('cache_control')
})

it('drops all thinking if nobody remembers the stubs of the conversation', async () => {
  const search = { preset: everruns, tools: sampleTools, activation: 'always' } as const
  const first = await createToolSearch(search).session('a')
  const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's' }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [thinking, { type: 'text', text: 'Hello.' }] },
    { role: 'user', content: 'Go on.' },
  ] as Anthropic.MessageParam[]
  await anthropic(first, { model }).request({ messages: messages.slice(0, 1) })
  const more = [...sampleTools, serverTool('weather_forecast', 'Forecasts the weather.')]
  const restarted = createToolSearch({ ...search, tools: more })
  const repairs: Repair[] = []
  const adapter = anthropic(await restarted.restore(await first.snapshot()), {
    model,
    onRepair: (made) => repairs.push(...made),
  })
  const request = await adapter.request({ messages })
  expect(request.tools?.map(({ name }) => name)).toContain('weather_forecast')
  expect(repairs).toEqual([{ kind: 'reasoning-dropped', about: 'thinking', at: 1 }])
  expect(JSON.stringify(request.messages)).not.toContain('"thinking"')
})

// "Never append by default for Claude": it never gets a mode that changes its prefix by default
describe.each([everruns, everrunsLatest])('preset $preset', (preset) => {
  it('keeps its stubs while tools come and go', async () => {
    const { chat } = await start({ search: { preset } })
    expect(chat.adapter.mode).toBe('stub')
    await chat.turn({
      thinking: 'Hm.',
      calls: [{ name: 'tool_search', arguments: { query: 'approve invoice' } }],
    })
    await chat.turn(call('invoice_approve'))
    const before = lastBody(chat)
    expect(before.tools.map(({ name }) => name)).toEqual([
      'tool_search',
      'call_tool',
      ...sampleTools.map(({ name }) => name),
    ])

    chat.toolSearch.catalogue.remove(['invoice_approve', 'photo_archive'])
    chat.toolSearch.catalogue.add([serverTool('weather_forecast', 'Forecasts the weather.')])
    await chat.turn({
      thinking: 'Hm.',
      calls: [{ name: 'tool_search', arguments: { query: 'weather' } }],
    })
    expect(JSON.stringify(lastBody(chat).messages.at(-1))).toMatch(
      /weather_forecast.*No longer available.*invoice_approve.*photo_archive/,
    )
    const late = { name: 'weather_forecast', arguments: { subject: 'Oslo' } }
    await chat.turn({ thinking: 'Hm.', calls: [{ name: 'call_tool', arguments: late }] })
    await chat.turn(call('photo_archive'))
    await chat.turn({ text: 'Done.' })
    expect(chat.ran.map(({ name }) => name)).toEqual(['invoice_approve', 'weather_forecast'])
    expect(lastBody(chat).tools).toEqual(before.tools)
    expect(problems(chat)).toEqual([])
    expect(breaks(chat)).toEqual([])
  })
})
