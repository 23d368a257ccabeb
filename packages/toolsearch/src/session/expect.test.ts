import { describe, expect, it } from 'vitest'
import {
  claudeCode,
  createToolSearch,
  type ToolSearchOptions,
  type Turn,
  unified,
} from '../index.ts'
import { createLearning } from '../learning/learning.ts'
import { allPresets } from '../presets/all-presets.fixtures.ts'
import { sampleTools } from '../providers/provider.fixtures.ts'
import { fieldedRanker } from '../rankers.ts'
import { byWords } from '../tool-search/finders/by-words.ts'

const REQUEST = 'Please approve the invoice.'
const search = (options: ToolSearchOptions = {}) =>
  createToolSearch({ tools: sampleTools, ...options })
const names = ({ tools }: Turn) => tools.map(({ name }) => name)
const described = { reveal: 'call-tool' } as const

describe('session.turn({ expect })', () => {
  it('describes a sure hit in the notice, once, and leaves everything else as it was', async () => {
    const session = await search().session('a')
    const before = await session.turn({ appendOnly: described })
    const turn = await session.turn({ expect: REQUEST, appendOnly: described })
    expect(turn.notice).toContain('with call_tool')
    expect(turn.notice).toContain(
      '{"name":"invoice_approve","description":"Can approve one invoice.",' +
        '"arguments":"{subject: string /* What it is about. */}"}',
    )
    expect(turn.expected?.[0]?.name).toBe('invoice_approve')
    expect(turn.tools).toEqual(before.tools)
    expect(turn.system).toBe(before.system)
    const call = { name: 'invoice_approve', arguments: { subject: '7' } }
    expect(await session.answer(call)).toMatchObject({ kind: 'run' })
    const again = await session.turn({ expect: REQUEST, appendOnly: described })
    expect(again).toMatchObject({ tools: before.tools, system: before.system })
    expect(again.notice ?? again.expected).toBeUndefined()
  })

  it.each(['Approve the invoice 7.', 'Please approve the invoice "Winter tyres".'])(
    'is as sure of %j as without its value',
    async (text) => {
      const session = await search().session('a')
      const { expected } = await session.turn({ expect: text, appendOnly: described })
      expect(expected?.map(({ name }) => name)).toEqual(['invoice_approve'])
    },
  )

  it('returns definitions to append instead of a notice', async () => {
    const session = await search().session('a')
    const before = await session.turn({ appendOnly: {} })
    const turn = await session.turn({ expect: REQUEST, appendOnly: { reveal: 'definition' } })
    expect(turn.notice).toBeUndefined()
    expect(turn.expected?.[0]).toMatchObject({ name: 'invoice_approve', inputSchema: {} })
    expect(turn.tools).toEqual(before.tools)
  })

  it('lists the tools last if nothing else can show them', async () => {
    const session = await search().session('a')
    const before = names(await session.turn())
    const turn = await session.turn({ expect: REQUEST })
    expect(names(turn).slice(0, before.length)).toEqual(before)
    expect(names(turn).slice(before.length)).toEqual(session.loaded)
    expect(session.loaded).toContain('invoice_approve')
  })

  it('lists the tools only in the first turn if the prefix must not change', async () => {
    const session = await search().session('a')
    const turn = await session.turn({ expect: REQUEST, appendOnly: {} })
    expect(names(turn)).toEqual(['tool_search', 'invoice_approve'])
    const next = await session.turn({ expect: 'Archive the photo.', appendOnly: {} })
    expect(names(next)).toEqual(names(turn))
    const other = await search().session('b')
    await other.turn({ appendOnly: {} })
    expect(names(await other.turn({ expect: REQUEST, appendOnly: {} }))).toEqual(['tool_search'])
  })

  it('lists a described tool that is forced, or whose notice is gone', async () => {
    const session = await search().session('a')
    await session.turn({ expect: REQUEST, appendOnly: described })
    const appendOnly = { ...described, revealed: new Set<string>() }
    expect(names(await session.turn({ appendOnly }))).toContain('invoice_approve')
    const other = await search().session('b')
    await other.turn({ expect: REQUEST, appendOnly: described })
    const forced = await other.turn({ appendOnly: described, toolChoice: 'invoice_approve' })
    expect(names(forced)).toContain('invoice_approve')
  })

  it.each(['Hello!', 'What is the meaning of life?', 'the', '', 'select:invoice_approve'])(
    'adds nothing for %j, of which no search is sure',
    async (text) => {
      const byWordsAlone = byWords({ requiredIn: 'all', eager: 'add', ties: 'name' })
      const finders = text.startsWith('select:') ? [byWordsAlone] : unified.finders
      const session = await search({ preset: { ...unified, finders } }).session('a')
      const before = await session.turn({ appendOnly: described })
      expect(await session.turn({ expect: text, appendOnly: described })).toEqual(before)
      expect(session.loaded).toEqual([])
    },
  )

  it('adds nothing that the request already has, or that the caller must not see', async () => {
    const visible = sampleTools.map(({ name }) => name).filter((name) => !/^invoice/.test(name))
    const hidden = await search().session('a', { visible })
    expect((await hidden.turn({ expect: REQUEST })).expected).toBeUndefined()
    const few = await search({ tools: sampleTools.slice(0, 5) }).session('a')
    expect((await few.turn({ expect: REQUEST })).expected).toBeUndefined()
    const unable = await search().session('a')
    expect((await unable.turn({ expect: REQUEST, canSearch: false })).expected).toBeUndefined()
  })

  it('adds at most two tools, and none whose parameters exceed the budget', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`field_number_${at}`, { type: 'string' }]),
    )
    const large = { ...sampleTools[4]!, inputSchema: { type: 'object', properties } }
    const tools = sampleTools.map((tool) => (tool.name === large.name ? large : tool))
    const session = await search({ tools }).session('a')
    const turn = await session.turn({ expect: REQUEST, appendOnly: described })
    expect(turn.expected?.map(({ name }) => name) ?? []).not.toContain(large.name)
    const all = 'invoice_create, invoice_archive, invoice_measure, invoice_approve'
    const other = await search().session('b')
    expect((await other.turn({ expect: all, appendOnly: described })).expected).toHaveLength(2)
  })

  it('reads only the start of a long message, and takes no names from it', async () => {
    const lengths: number[] = []
    const ranker = () => {
      const own = fieldedRanker()
      const rank: typeof own.rank = (query, options) => {
        lengths.push(query.text.length)
        return own.rank(query, options)
      }
      return { ...own, rank }
    }
    const log = sampleTools
      .flatMap(({ name, description }) => [`12:00 ${name} failed`, `12:01 retry: ${description}`])
      .join('\n')
    const pasted = `What happened here?\n${log.repeat(25)}`
    expect(pasted.length).toBeGreaterThan(50_000)
    const session = await search({ ranker }).session('a')
    expect((await session.turn({ expect: pasted, appendOnly: described })).expected).toBeUndefined()
    expect(lengths.length).toBeGreaterThan(0)
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1_000)
  })

  it.each([
    'Bitte gib die Rechnung frei.',
    '請求書を承認してください。',
    'Ou est la bibliotheque ? Je voudrais un croissant.',
  ])('adds nothing for %j, whose words no tool has', async (text) => {
    const session = await search().session('a')
    expect((await session.turn({ expect: text, appendOnly: described })).expected).toBeUndefined()
  })

  it('only offers a tool that the user does not want', async () => {
    const session = await search().session('a')
    const { notice } = await session.turn({
      expect: "Pay it, but don't use invoice_approve.",
      appendOnly: described,
    })
    expect(notice).toMatch(/^Tools that may fit this request\. You can call them/)
  })

  it('describes a tool once if two objects of the session plan a turn at the same time', async () => {
    const toolSearch = search()
    const sessions = await Promise.all([toolSearch.session('a'), toolSearch.session('a')])
    const turns = await Promise.all(
      sessions.map((session) => session.turn({ expect: REQUEST, appendOnly: described })),
    )
    expect(turns.filter(({ notice }) => notice !== undefined)).toHaveLength(1)
    for (const session of sessions) {
      await session.turn({ appendOnly: described })
      expect(session.loaded).toEqual(['invoice_approve'])
    }
  })

  it.each(allPresets.filter((preset) => preset !== unified))(
    'adds nothing with the preset $preset, whose search is never sure, unless its search knows the name',
    async (preset) => {
      const options = { preset, deferral: { mcp: 'deferred' } } as const
      const session = await search(options).session('a')
      const before = await session.turn({ appendOnly: described })
      expect(await session.turn({ expect: REQUEST, appendOnly: described })).toEqual(before)
      expect(session.loaded).toEqual([])
      const named = await session.turn({ expect: 'invoice_approve', appendOnly: described })
      expect(named.expected?.map(({ name }) => name) ?? ['invoice_approve']).toEqual([
        'invoice_approve',
      ])
    },
  )

  it('does not count as a search of the model, and events tell it apart', async () => {
    const events: unknown[] = []
    const toolSearch = search({
      rateLimit: { calls: 1, windowMs: 60_000 },
      onSearch: ({ by, outcome, answer }) =>
        void events.push([by, outcome.query, answer.text.includes('invoice_approve')]),
      onLoaded: ({ by, tools }) => void events.push([by, tools[0]?.name]),
    })
    const session = await toolSearch.session('a')
    await session.turn({ expect: 'Hello!', appendOnly: described })
    await session.turn({ expect: REQUEST, appendOnly: described })
    expect(events).toEqual([
      ['expect', REQUEST, true],
      ['expect', 'invoice_approve'],
    ])
    const { outcome } = await session.search({ query: 'archive photo' })
    expect(outcome.problem).toBeUndefined()
    expect(events.slice(2)).toEqual([
      ['search', 'archive photo', false],
      ['search', 'photo_archive'],
    ])
  })

  it('repeats a placed notice, and lists the tools after a compaction', async () => {
    const session = await search().session('a')
    const appendOnly = { ...described, places: () => ['first', 'second'] }
    const turn = await session.turn({ expect: REQUEST, appendOnly })
    expect(turn.notices).toMatchObject([{ after: 'second' }])
    expect((await session.turn({ appendOnly })).notices).toEqual(turn.notices)
    const restored = await search().restore(JSON.parse(JSON.stringify(await session.snapshot())))
    expect(names(await restored.turn({ appendOnly }))).toEqual(['tool_search'])
    const fork = await session.fork('b', { loaded: true })
    expect(names(await fork.turn({ appendOnly: described }))).toContain('invoice_approve')
    await session.compacted()
    expect(names(await session.turn({ appendOnly: described }))).toContain('invoice_approve')
  })

  it('works with a preset whose ranker has no estimate only for tools that the user names', async () => {
    const session = await search({ preset: claudeCode }).session('a')
    expect((await session.turn({ expect: REQUEST })).expected).toBeUndefined()
    const turn = await session.turn({ expect: 'invoice_approve' })
    expect(turn.expected?.map(({ name }) => name)).toEqual(['invoice_approve'])
  })

  it('teaches nothing, because the words of a user are private', async () => {
    const learning = createLearning()
    const session = await search({ learning }).session('a')
    const { expected } = await session.turn({ expect: REQUEST, appendOnly: described })
    expect(expected?.[0]?.name).toBe('invoice_approve')
    const call = { name: 'invoice_approve', arguments: { subject: '7' } }
    expect(await session.answer(call)).toMatchObject({ kind: 'run' })
    expect(await learning.uses()).toEqual([])
    await session.run({ name: 'tool_search', arguments: { query: 'approve invoice' } })
    await session.answer(call)
    expect((await learning.uses()).map(({ words }) => words)).toEqual(['approve invoice'])
  })

  it('adds no tool only because people used another one after similar requests', async () => {
    const tools = [
      { name: 'create_refund', description: 'Refund a charge' },
      { name: 'rollback_service', description: 'Roll back a service to an earlier version' },
      { name: 'set_alarm', description: 'Set an alarm' },
      { name: 'resize_image', description: 'Resize an image' },
    ]
    const learning = createLearning()
    const toolSearch = search({ tools, learning, activation: 'always' })
    for (const person of ['ada', 'ben', 'cleo', 'dan', 'eve']) {
      const session = await toolSearch.session(person, { person })
      await session.run({ name: 'tool_search', arguments: { query: 'give the money back' } })
      await session.run({ name: 'tool_search', arguments: { query: 'select:create_refund' } })
      await session.run({ name: 'create_refund', arguments: {} })
      const reader = await toolSearch.session(`after ${person}`, { person: 'bob' })
      await reader.turn({ expect: 'Give the money back' })
      expect(reader.loaded[0] ?? 'create_refund').toBe('create_refund')
    }
    expect(await learning.uses()).toHaveLength(5)
  })

  it.each([7, true, null])('rejects %j', async (text) => {
    const session = await search().session('a')
    await expect(session.turn({ expect: text as never })).rejects.toThrow('expect')
  })
})
