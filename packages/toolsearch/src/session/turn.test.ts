import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import type { ToolDefinition } from '../catalogue/tool.ts'
import { unified } from '../presets/unified/unified.ts'
import { EMPTY_RECORD, type SessionRecord } from '../stores/session-record.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import { type Announcer, createAnnouncer } from './announcer.ts'
import type { Announcement } from './preset.ts'
import { createStubLists } from './stub-lists.ts'
import { createDivider } from './tool-division.ts'
import { type PlanTurnOptions, planTurn } from './turn.ts'

function plan(
  tools: readonly ToolDefinition[],
  record: Partial<SessionRecord> = {},
  announcement: Partial<Announcement> = {},
  { mayHideLater = false, ...options }: Partial<PlanTurnOptions> & { mayHideLater?: boolean } = {},
) {
  const catalogue = createCatalogue(tools)
  const division = createDivider({
    catalogue,
    policy: {},
    searchToolName: 'tool_search',
    countTokens: estimateTokens,
    neverDefer: false,
  })()
  return planTurn({
    division,
    record: { ...EMPTY_RECORD, ...record },
    active: record.active ?? true,
    preset: {
      ...unified,
      activation: mayHideLater ? { usageShare: 0.5 } : 'always',
      announcement: { ...unified.announcement, ...announcement },
    },
    stubLists: createStubLists(),
    announcer: announcerOf(announcement),
    ...options,
  })
}

function announcerOf(announcement: Partial<Announcement> = {}): Announcer {
  return createAnnouncer({
    announcement: { ...unified.announcement, ...announcement },
    searchToolName: 'tool_search',
    countTokens: estimateTokens,
  })
}

const names = ({ turn }: ReturnType<typeof plan>) => turn.tools.map(({ name }) => name)
const loaded = (...list: readonly string[]) => list.map((name) => ({ name, fingerprint: '1' }))

describe('planTurn: tools and their order', () => {
  it('sends every tool unchanged if nothing is hidden, and remembers which', () => {
    const { turn, record } = plan([{ name: 'b' }, { name: 'a' }], { active: false })
    expect(turn.tools).toEqual([
      { name: 'b', description: '', inputSchema: { type: 'object', properties: {} } },
      { name: 'a', description: '', inputSchema: { type: 'object', properties: {} } },
    ])
    expect(turn).toMatchObject({ hidden: 0 })
    expect(turn).not.toHaveProperty('system')
    expect(turn).not.toHaveProperty('notice')
    expect(record).toEqual({ ...EMPTY_RECORD, sent: ['b', 'a'] })
  })

  it('sends no search tool and no system block if every tool is eager or loaded from the start', () => {
    const tools: ToolDefinition[] = [{ name: 'a', loading: 'eager' }, { name: 'b' }]
    const record = { active: false, loaded: loaded('b') }
    const planned = plan(tools, record, {}, { active: true })
    expect(names(planned)).toEqual(['a', 'b'])
    expect(planned.turn.system).toBeUndefined()
    const started = plan(tools, { ...record, active: true })
    expect(names(started)).toEqual(['tool_search', 'a', 'b'])
  })

  it('sends the search tool, always-on tools, and loaded tools in loading order', () => {
    const tools: ToolDefinition[] = [
      { name: 'x' },
      { name: 'late', loading: 'eager' },
      { name: 'y' },
      { name: 'early', loading: 'eager' },
      { name: 'z' },
    ]
    const planned = plan(tools, { loaded: loaded('z', 'x') })
    expect(names(planned)).toEqual(['tool_search', 'late', 'early', 'z', 'x'])
    expect(planned.turn.hidden).toBe(1)
    expect(planned.record.sent).toEqual(['late', 'early', 'z', 'x'])
  })

  it('keeps the place of tools sent before and puts new ones last', () => {
    const tools: ToolDefinition[] = [
      { name: 'new_eager', loading: 'eager' },
      { name: 'a', loading: 'eager' },
      { name: 'x' },
      { name: 'y' },
      { name: 'z' },
    ]
    const planned = plan(tools, { loaded: loaded('y', 'x'), sent: ['a', 'y'] })
    expect(names(planned)).toEqual(['tool_search', 'a', 'y', 'new_eager', 'x'])
    expect(planned.record.sent).toEqual(['a', 'y', 'new_eager', 'x'])
  })

  it('leaves out removed tools', () => {
    const tools: ToolDefinition[] = [{ name: 'a', loading: 'eager' }, { name: 'hidden' }]
    const planned = plan(tools, { loaded: loaded('gone'), sent: ['gone', 'a'] })
    expect(names(planned)).toEqual(['tool_search', 'a'])
  })

  it('keeps the order of sent tools when nothing is hidden anymore', () => {
    const tools: ToolDefinition[] = [{ name: 'x' }, { name: 'y' }, { name: 'a', loading: 'eager' }]
    const planned = plan(tools, { loaded: loaded('y', 'x'), sent: ['a', 'y'] })
    expect(names(planned)).toEqual(['a', 'y', 'x'])
    expect(planned.record.sent).toEqual(['a', 'y', 'x'])
  })

  it('reports name conflicts whether or not something is hidden', () => {
    const tools: ToolDefinition[] = [{ name: 'tool_search' }, { name: 'a' }]
    expect(plan(tools).turn.nameConflicts).toEqual(['tool_search'])
    expect(plan(tools, { active: false }).turn.nameConflicts).toEqual(['tool_search'])
  })

  it('sends only name, description and schema of a tool', () => {
    const tools: ToolDefinition[] = [
      { name: 'a', loading: 'eager', metadata: { key: 'secret' }, searchHint: 'hint', title: 'A' },
      { name: 'hidden' },
    ]
    const sent = plan(tools).turn.tools[1]!
    expect(Object.keys(sent)).toEqual(['name', 'description', 'inputSchema'])
  })
})

describe('planTurn: stubs', () => {
  const schema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }

  it('keeps every tool in its place, hidden ones with a stub schema', () => {
    const tools: ToolDefinition[] = [
      { name: 'x', description: 'About x', inputSchema: schema },
      { name: 'a', loading: 'eager', inputSchema: schema },
      { name: 'y', inputSchema: schema },
    ]
    const planned = plan(
      tools,
      { loaded: loaded('y') },
      {
        stubs: { note: (tool, searchToolName) => `${searchToolName}: ${tool.name}` },
      },
    )
    expect(names(planned)).toEqual(['tool_search', 'x', 'a', 'y'])
    expect(planned.turn.tools[1]).toEqual({
      name: 'x',
      description: 'About x',
      inputSchema: { type: 'object', description: 'tool_search: x', additionalProperties: true },
    })
    expect(planned.turn.tools[2]!.inputSchema).toBe(schema)
    expect(planned.turn.tools[3]!.inputSchema).toBe(schema)
    expect(planned.turn.hidden).toBe(1)
  })

  it('sends stubs without a note', () => {
    const { turn } = plan([{ name: 'x', inputSchema: schema }], {}, { stubs: {} })
    expect(turn.tools[1]!.inputSchema).toEqual({ type: 'object', additionalProperties: true })
  })
})

describe('planTurn: tools that were sent before deferral started', () => {
  const tools: ToolDefinition[] = [{ name: 'x' }, { name: 'a', loading: 'eager' }, { name: 'y' }]
  const inactive = { active: false }

  it('keeps them listed in the same order', () => {
    const { record } = plan(tools, inactive)
    const later = plan([{ name: 'new' }, ...tools], { ...record, active: true })
    expect(names(later)).toEqual(['tool_search', 'x', 'a', 'y'])
    expect(later.turn.hidden).toBe(1)
  })

  it('remembers that they were seen, but not their names, if there are more than 64', () => {
    const many = Array.from({ length: 65 }, (_, index) => ({ name: `tool_${index}` }))
    const { turn, record } = plan(many, { ...inactive, sent: ['tool_0'] })
    expect(turn.tools).toHaveLength(65)
    expect(record).toMatchObject({ sent: [], seen: 'automatic' })
    expect(plan(many.slice(1), inactive).record.sent).toHaveLength(64)
    expect(plan(many, { ...record, active: true }).turn.hidden).toBe(65)
  })

  it('hides them if the conversation may hide them as it grows, and remembers that', () => {
    const planned = plan(tools, inactive, {}, { mayHideLater: true })
    expect(names(planned)).toEqual(['a', 'x', 'y'])
    expect(planned.record).toMatchObject({ sent: ['a'], seen: 'automatic' })
  })

  it('replaces them with stubs if the preset does, and remembers that', () => {
    const planned = plan(tools, inactive, { stubs: {} })
    expect(names(planned)).toEqual(['x', 'a', 'y'])
    expect(planned.record).toMatchObject({ sent: [], seen: 'automatic' })
  })

  it('keeps them in full next to stubs if the prefix must not change', () => {
    const options = { appendOnly: { reveal: 'stub' } } as const
    const { record } = plan(tools, inactive, {}, options)
    const later = plan([...tools, { name: 'z' }], { ...record, active: true }, {}, options)
    const stubs = later.turn.tools.filter((tool) => tool.inputSchema.additionalProperties === true)
    expect(stubs.map(({ name }) => name)).toEqual(['z'])
  })

  it('never forgets that all tools were seen', () => {
    const record = { ...inactive, seen: 'all' } as const
    expect(plan(tools, record, {}, { mayHideLater: true }).record.seen).toBe('all')
  })

  it('returns the same record if nothing changes', () => {
    for (const options of [{}, { mayHideLater: true }, { appendOnly: {} }]) {
      const { record } = plan(tools, inactive, {}, options)
      const again = plan(tools, record, {}, options)
      expect(again.record).toEqual(record)
    }
  })
})

describe('planTurn: announcement', () => {
  const text: Announcement['text'] = (list, name) => `[${name}]\n${list}`

  it('lists every deferrable tool, loaded or not', () => {
    const tools: ToolDefinition[] = [
      { name: 'y' },
      { name: 'x' },
      { name: 'a', loading: 'eager' },
      { name: 'l' },
    ]
    const { turn } = plan(tools, { loaded: loaded('l') }, { text })
    expect(turn.system).toBe('[tool_search]\n- l\n- x\n- y')
    expect(turn).not.toHaveProperty('notice')
  })

  it('lists only tools that are always deferred, before deferral starts, and then announces the others', () => {
    const tools: ToolDefinition[] = [{ name: 'x' }, { name: 'rare', loading: 'deferred' }]
    const announcer = announcerOf({ text })
    const options = { announcer, mayHideLater: true }
    const before = plan(tools, { active: false }, {}, options)
    expect(before.turn.system).toBe('[tool_search]\n- rare')
    const after = plan(tools, { ...before.record, active: true }, {}, options)
    expect(after.turn.system).toBe('[tool_search]\n- rare')
    expect(after.turn.notice).toBe('New tools available through search:\n- x')
  })

  it('repeats the first announcement byte for byte and returns changes as a notice once', () => {
    const announcer = announcerOf({ text })
    const first = plan([{ name: 'x' }, { name: 'y' }], {}, {}, { announcer })
    const tools: ToolDefinition[] = [{ name: 'x' }, { name: 'z' }]
    const second = plan(tools, first.record, {}, { announcer })
    expect(second.turn.system).toBe(first.turn.system)
    expect(second.turn.notice).toBe(
      'New tools available through search:\n- z\n\nNo longer available:\n- y',
    )
    const third = plan(tools, second.record, {}, { announcer })
    expect(third.turn.system).toBe(first.turn.system)
    expect(third.turn).not.toHaveProperty('notice')
  })

  it('announces the current tools if nobody remembers the first announcement', () => {
    const first = plan([{ name: 'x' }, { name: 'y' }])
    const { announcedList: _, ...record } = first.record
    const restarted = plan([{ name: 'x' }, { name: 'z' }], record, { text })
    expect(restarted.turn.system).toBe('[tool_search]\n- x\n- z')
    expect(restarted.turn).not.toHaveProperty('notice')
  })

  it('announces the removal of a loaded tool', () => {
    const announcer = announcerOf()
    const first = plan([{ name: 'x' }, { name: 'y' }], {}, {}, { announcer })
    const record = { ...first.record, loaded: loaded('y') }
    const { turn } = plan([{ name: 'x' }], record, {}, { announcer })
    expect(turn.notice).toBe('No longer available:\n- y')
  })

  it('writes a live list of hidden tools in every turn and stores nothing', () => {
    const tools: ToolDefinition[] = [{ name: 'x' }, { name: 'z' }, { name: 'l' }]
    const live = { text, placement: 'live' } as const
    const { turn, record } = plan(tools, { loaded: loaded('l') }, live)
    expect(turn.system).toBe('[tool_search]\n- x\n- z')
    expect(turn).not.toHaveProperty('notice')
    expect(record).toEqual({ active: true, searchable: true, loaded: loaded('l'), sent: ['l'] })
  })

  it('writes a system block without a list with style: none', () => {
    const { turn } = plan([{ name: 'x' }], {}, { text, style: 'none' })
    expect(turn.system).toBe('[tool_search]\n')
  })

  it('omits the system block if its text is empty', () => {
    const { turn } = plan([{ name: 'x' }], {}, { text: () => '', style: 'none' })
    expect(turn).not.toHaveProperty('system')
    expect(turn.hidden).toBe(1)
  })

  it('applies style and budget to the system block and the notice', () => {
    const tools: ToolDefinition[] = [{ name: 'x', description: 'A '.repeat(100) }]
    const announcement = { text, style: 'lines' } as const
    const line = `${'A '.repeat(60).trim()}…`
    expect(plan(tools, {}, announcement).turn.system).toBe(`[tool_search]\n- x: ${line}`)
    const lines = announcerOf(announcement)
    const { record } = plan([{ name: 'old' }], {}, {}, { announcer: lines })
    expect(plan([{ name: 'old' }, ...tools], record, {}, { announcer: lines }).turn.notice).toBe(
      `New tools available through search:\n- x: ${line}`,
    )
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `mcp__s__tool_${index}` }))
    expect(plan(many, {}, { text, budget: 50 }).turn.system).toBe(
      '[tool_search]\n- 100 tools from mcp:s',
    )
    const small = announcerOf({ text, budget: 50 })
    const before = plan([{ name: 'old' }], {}, {}, { announcer: small }).record
    const after = plan([{ name: 'old' }, ...many], before, {}, { announcer: small })
    expect(after.turn.notice).toBe('New tools available through search:\n- 100 tools from mcp:s')
  })
})

describe('planTurn: notices with places', () => {
  const announcer = announcerOf({ style: 'names' })
  const turnAfter = (names: string[], before: Partial<SessionRecord>, places: string[]) =>
    plan(
      names.map((name) => ({ name })),
      before,
      {},
      { announcer, appendOnly: { places: () => places } },
    )
  const NEW = 'New tools available through search:\n- '

  it('are returned in every later turn, each after the message it followed first', () => {
    const first = turnAfter(['x'], {}, ['a'])
    expect(first.turn.notices).toEqual([])
    const second = turnAfter(['x', 'y'], first.record, ['a', 'b'])
    expect(second.turn).not.toHaveProperty('notice')
    const third = turnAfter(['x', 'y', 'z'], second.record, ['a', 'b', 'c'])
    const notices = [
      { text: `${NEW}y`, after: 'b' },
      { text: `${NEW}z`, after: 'c' },
    ]
    expect(third.turn.notices).toEqual(notices)
    const fourth = turnAfter(['x', 'y', 'z'], third.record, ['a', 'b', 'c', 'd'])
    expect(fourth.turn.notices).toEqual(notices)
    expect(fourth.record).toEqual(third.record)
  })

  it('move to the end if their message is gone', () => {
    const first = turnAfter(['x'], {}, ['a'])
    const second = turnAfter(['x', 'y'], first.record, ['a', 'b'])
    const cut = turnAfter(['x', 'y'], second.record, ['summary', 'c'])
    expect(cut.turn.notices).toEqual([{ text: `${NEW}y`, after: 'c' }])
    expect(cut.record.notices).toEqual(cut.turn.notices)
  })

  it('end when the announcement starts over', () => {
    const first = turnAfter(['x'], {}, ['a'])
    const { record } = turnAfter(['x', 'y'], first.record, ['a', 'b'])
    const again = turnAfter(['x', 'y'], { ...record, announcement: 'unknown' }, ['a', 'b'])
    expect(again.turn.notices).toEqual([])
    expect(again.record.notices).toEqual([])
  })
})
