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
    neverDefer: false,
  })()
  return planTurn({
    division,
    record: { ...EMPTY_RECORD, ...record },
    active: record.active ?? true,
    mayHideLater: false,
    searchTool: unified.searchTool,
    announcement: { ...unified.announcement, ...announcement },
    countTokens: estimateTokens,
  })
}

const names = ({ turn }: ReturnType<typeof plan>) => turn.tools.map(({ name }) => name)
const loaded = (...list: readonly string[]) => list.map((name) => ({ name, fingerprint: '1' }))

describe('planTurn: tools and their order', () => {
  it('sends every tool unchanged if nothing is hidden, and stores nothing', () => {
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

  it('sends no search tool and no system block if every tool is eager or loaded', () => {
    const tools: ToolDefinition[] = [{ name: 'a', loading: 'eager' }, { name: 'b' }]
    const planned = plan(tools, { active: true, loaded: loaded('b') })
    expect(names(planned)).toEqual(['a', 'b'])
    expect(planned.turn.system).toBeUndefined()
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
    expect(planned.addition.sent).toEqual(['late', 'early', 'z', 'x'])
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
    expect(planned.addition.sent).toEqual(['new_eager', 'x'])
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
    expect(planned.addition.sent).toEqual(['x'])
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

describe('planTurn: announcement', () => {
  const text: Announcement['text'] = (list, name) => `[${name}]\n${list}`

  it('announces only hidden tools', () => {
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

  it('repeats the first announcement byte for byte and returns changes as a notice', () => {
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

  it('returns a notice only once', () => {
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

  it('does not announce a loaded tool as removed', () => {
    const { turn } = plan([{ name: 'x' }, { name: 'y' }], {
      announcement: 'as it was',
      announced: ['x', 'y'],
      loaded: loaded('y'),
    })
    expect(turn).not.toHaveProperty('notice')
  })

  it('announces the removal of a loaded tool', () => {
    const { turn } = plan([{ name: 'x' }], {
      announcement: 'as it was',
      announced: ['x', 'y'],
      loaded: loaded('y'),
    })
    expect(turn.notice).toBe('No longer available:\n- y')
  })

  it('writes a live list in every turn and stores nothing', () => {
    const { turn, addition } = plan(
      [{ name: 'x' }, { name: 'z' }],
      { announcement: 'as it was', announced: ['y'] },
      { text, placement: 'live' },
    )
    expect(turn.system).toBe('[tool_search]\n- x\n- z')
    expect(turn).not.toHaveProperty('notice')
    expect(addition).toEqual({ sent: [] })
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

  it('applies style, line length and budget to the system block and the notice', () => {
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
