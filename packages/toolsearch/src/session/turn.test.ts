import { describe, expect, it } from 'vitest'
import { createCatalogue } from '../catalogue/catalogue.ts'
import type { ToolDefinition } from '../catalogue/tool.ts'
import { unified } from '../presets/unified/unified.ts'
import { addToRecord, EMPTY_RECORD, type SessionRecord } from '../stores/session-record.ts'
import { estimateTokens } from '../tokens/estimate-tokens.ts'
import type { Announcement } from './preset.ts'
import { createDivider } from './tool-division.ts'
import { planTurn } from './turn.ts'

function plan(
  tools: readonly ToolDefinition[],
  record: Partial<SessionRecord> = {},
  announcement: Partial<Announcement> = {},
) {
  const catalogue = createCatalogue(tools)
  const division = createDivider({
    catalogue,
    policy: {},
    searchToolName: 'tool_search',
    countTokens: estimateTokens,
    isOff: false,
  })()
  return planTurn({
    division,
    record: { ...EMPTY_RECORD, ...record },
    active: record.active ?? true,
    mayTakeBack: false,
    searchTool: unified.searchTool,
    announcement: { ...unified.announcement, ...announcement },
    countTokens: estimateTokens,
  })
}

const names = ({ turn }: ReturnType<typeof plan>) => turn.tools.map(({ name }) => name)
const loaded = (...list: readonly string[]) => list.map((name) => ({ name, fingerprint: '1' }))

describe('planTurn: which tools, in which order', () => {
  it('sends every tool as it is when nothing is hidden, and remembers nothing of it', () => {
    const { turn, addition } = plan([{ name: 'b' }, { name: 'a' }], { active: false })
    expect(turn.tools).toEqual([
      { name: 'b', description: '', inputSchema: { type: 'object', properties: {} } },
      { name: 'a', description: '', inputSchema: { type: 'object', properties: {} } },
    ])
    expect(turn).toMatchObject({ hidden: 0 })
    expect(turn).not.toHaveProperty('system')
    expect(turn).not.toHaveProperty('notice')
    expect(addition).toEqual({ sent: [] })
  })

  it('sends neither search tool nor block when every tool is eager or loaded', () => {
    const tools: ToolDefinition[] = [{ name: 'a', loading: 'eager' }, { name: 'b' }]
    const planned = plan(tools, { active: true, loaded: loaded('b') })
    expect(names(planned)).toEqual(['a', 'b'])
    expect(planned.turn.system).toBeUndefined()
  })

  it('sends the search tool, what is never hidden, and what is loaded in order of loading', () => {
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
    expect(planned.addition.sent).toEqual(['late', 'early', 'z', 'x'])
  })

  it('leaves what was sent before where it was, and puts what is new last', () => {
    const tools: ToolDefinition[] = [
      { name: 'new_eager', loading: 'eager' },
      { name: 'a', loading: 'eager' },
      { name: 'x' },
      { name: 'y' },
      { name: 'z' },
    ]
    const planned = plan(tools, { loaded: loaded('y', 'x'), sent: ['a', 'y'] })
    expect(names(planned)).toEqual(['tool_search', 'a', 'y', 'new_eager', 'x'])
    expect(planned.addition.sent).toEqual(['new_eager', 'x'])
  })

  it('leaves out what is gone, and does not mind', () => {
    const tools: ToolDefinition[] = [{ name: 'a', loading: 'eager' }, { name: 'hidden' }]
    const planned = plan(tools, { loaded: loaded('gone'), sent: ['gone', 'a'] })
    expect(names(planned)).toEqual(['tool_search', 'a'])
  })

  it('keeps the order of what was sent when nothing is hidden any more', () => {
    const tools: ToolDefinition[] = [{ name: 'x' }, { name: 'y' }, { name: 'a', loading: 'eager' }]
    const planned = plan(tools, { loaded: loaded('y', 'x'), sent: ['a', 'y'] })
    expect(names(planned)).toEqual(['a', 'y', 'x'])
    expect(planned.addition.sent).toEqual(['x'])
  })

  it('tells of shadowed tools whether or not something is hidden', () => {
    const tools: ToolDefinition[] = [{ name: 'tool_search' }, { name: 'a' }]
    expect(plan(tools).turn.nameConflicts).toEqual(['tool_search'])
    expect(plan(tools, { active: false }).turn.nameConflicts).toEqual(['tool_search'])
  })

  it('sends nothing of a tool but what a request carries', () => {
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

  it('keeps every tool in its place, hidden ones with an open schema', () => {
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

  it('has stubs without a note', () => {
    const { turn } = plan([{ name: 'x', inputSchema: schema }], {}, { stubs: {} })
    expect(turn.tools[1]!.inputSchema).toEqual({ type: 'object', additionalProperties: true })
  })
})

describe('planTurn: announcement', () => {
  const text: Announcement['text'] = (list, name) => `[${name}]\n${list}`

  it('makes hidden tools known, and only those', () => {
    const tools: ToolDefinition[] = [
      { name: 'y' },
      { name: 'x' },
      { name: 'a', loading: 'eager' },
      { name: 'l' },
    ]
    const { turn, addition } = plan(tools, { loaded: loaded('l') }, { text })
    expect(turn.system).toBe('[tool_search]\n- x\n- y')
    expect(turn).not.toHaveProperty('notice')
    expect(addition).toMatchObject({ announcement: turn.system, announced: ['y', 'x'] })
  })

  it('repeats the first announcement byte for byte, and appends what changed', () => {
    const { turn, addition } = plan(
      [{ name: 'x' }, { name: 'z' }],
      { announcement: 'as it was', announced: ['x', 'y'] },
      { text },
    )
    expect(turn.system).toBe('as it was')
    expect(turn.notice).toBe(
      'New tools available through search:\n- z\n\nNo longer available:\n- y',
    )
    expect(addition).toMatchObject({ announced: ['z'], withdrawn: ['y'] })
    expect(addition).not.toHaveProperty('announcement')
  })

  it('tells its news once', () => {
    const tools: ToolDefinition[] = [{ name: 'x' }, { name: 'z' }]
    const record: SessionRecord = {
      ...EMPTY_RECORD,
      active: true,
      announcement: 'as it was',
      announced: ['x', 'y'],
    }
    const { addition } = plan(tools, record)
    const after = plan(tools, addToRecord(record, addition))
    expect(after.turn).not.toHaveProperty('notice')
    expect(after.turn.system).toBe('as it was')
  })

  it('does not take a tool that was loaded for one that is gone', () => {
    const { turn } = plan([{ name: 'x' }, { name: 'y' }], {
      announcement: 'as it was',
      announced: ['x', 'y'],
      loaded: loaded('y'),
    })
    expect(turn).not.toHaveProperty('notice')
  })

  it('tells of a loaded tool that is gone', () => {
    const { turn } = plan([{ name: 'x' }], {
      announcement: 'as it was',
      announced: ['x', 'y'],
      loaded: loaded('y'),
    })
    expect(turn.notice).toBe('No longer available:\n- y')
  })

  it('writes a live list anew, and remembers nothing of it', () => {
    const { turn, addition } = plan(
      [{ name: 'x' }, { name: 'z' }],
      { announcement: 'as it was', announced: ['y'] },
      { text, placement: 'live' },
    )
    expect(turn.system).toBe('[tool_search]\n- x\n- z')
    expect(turn).not.toHaveProperty('notice')
    expect(addition).toEqual({ sent: [] })
  })

  it('has a block without a list in the style of none', () => {
    const { turn } = plan([{ name: 'x' }], {}, { text, style: 'none' })
    expect(turn.system).toBe('[tool_search]\n')
  })

  it('has no block when its text is empty', () => {
    const { turn } = plan([{ name: 'x' }], {}, { text: () => '', style: 'none' })
    expect(turn).not.toHaveProperty('system')
    expect(turn.hidden).toBe(1)
  })

  it('keeps to style, length of line and budget, in the block and in the news', () => {
    const tools: ToolDefinition[] = [{ name: 'x', description: 'A long description of x' }]
    const announcement = { text, style: 'lines', lineLength: 7 } as const
    expect(plan(tools, {}, announcement).turn.system).toBe('[tool_search]\n- x: A long…')
    const known = { announcement: 'as it was' }
    expect(plan(tools, known, announcement).turn.notice).toBe(
      'New tools available through search:\n- x: A long…',
    )
    const many = Array.from({ length: 100 }, (_, index) => ({ name: `mcp__s__tool_${index}` }))
    expect(plan(many, {}, { text, budget: 50 }).turn.system).toBe(
      '[tool_search]\n- 100 tools from mcp:s',
    )
    expect(plan(many, known, { text, budget: 50 }).turn.notice).toBe(
      'New tools available through search:\n- 100 tools from mcp:s',
    )
  })
})
