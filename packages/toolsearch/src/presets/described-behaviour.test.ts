import { describe, expect, it } from 'vitest'
import { gemini } from '../providers/gemini/gemini.ts'
import { openaiCompatible } from '../providers/openai-compatible/openai-compatible.ts'
import type { ResultFormat } from '../tool-search/search-answer.ts'
import { createToolSearch } from '../toolsearch.ts'
import { allPresets } from './all-presets.fixtures.ts'
import { claudeCodeWiki } from './claude-code/claude-code.ts'
import { cortex } from './cortex/cortex.ts'
import { dirge } from './dirge/dirge.ts'
import { everruns, everrunsLatest } from './everruns/everruns.ts'
import { nexo } from './nexo/nexo.ts'
import { unified } from './unified/unified.ts'

const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    name: `tool_${i}`,
    description: 'Does something',
    inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  }))

describe('behaviour that an independent check found to differ from the descriptions', () => {
  it('everruns lists stubs in the default mode of every adapter', async () => {
    for (const preset of [everruns, everrunsLatest]) {
      const toolSearch = createToolSearch({ preset, tools: many(20) })
      const chat = openaiCompatible(await toolSearch.session('chat'), { model: 'any' })
      const { tools = [] } = await chat.request({ messages: [{ role: 'user', content: 'Hi' }] })
      expect(tools).toHaveLength(22)
      expect(tools[2]?.function.parameters).toMatchObject({ additionalProperties: true })
      expect(gemini(await toolSearch.session('gemini')).mode).toBe('stub')
    }
  })

  it.each(['turn', 'compaction'])(
    'the search tool stays when the last hidden tool is loaded or removed, also after a %s',
    async (after) => {
      const tools = [{ name: 'read' }, { name: 'lazy', loading: 'deferred' as const }]
      for (const preset of allPresets) {
        const toolSearch = createToolSearch({ preset, tools, activation: { toolCount: 100 } })
        const session = await toolSearch.session('a')
        const before = await session.turn()
        expect(before.searchTool, preset.preset).toBeDefined()
        await session.load(['lazy'])
        if (after === 'compaction') {
          toolSearch.catalogue.remove(['lazy'])
          await session.compacted()
        }
        const { searchTool, tools: listed } = await session.turn()
        expect(searchTool, preset.preset).toEqual(before.searchTool)
        expect(listed[0], preset.preset).toEqual(before.tools[0])
      }
    },
  )

  it.each([unified, dirge, everruns, nexo])(
    'a result format in a preset is used in every mode',
    async (preset) => {
      const result: ResultFormat = ({ hits }) => ({
        text: `mine: ${hits.length}`,
        data: {},
        isError: false,
      })
      const toolSearch = createToolSearch({
        preset: { ...preset, result },
        tools: [{ name: 'lazy', description: 'Waits', loading: 'deferred' }],
      })
      for (const mode of ['bridge', 'stub', 'append'] as const) {
        const adapter = openaiCompatible(await toolSearch.session(mode), { mode })
        await adapter.request({ messages: [{ role: 'user', content: 'Hi' }] })
        const name = preset.searchTool.name
        const call = {
          id: 'c',
          type: 'function',
          function: { name, arguments: '{"query":"lazy"}' },
        }
        const message = { role: 'assistant', content: null, tool_calls: [call] }
        const step = await adapter.handle({ choices: [{ message }] } as never)
        expect(step.messages().at(-1), mode).toMatchObject({ content: 'mine: 1' })
      }
    },
  )

  it('everruns sends full schemas again when the number of tools falls below the threshold', async () => {
    const toolSearch = createToolSearch({ preset: everruns, tools: many(20) })
    const session = await toolSearch.session('a')
    expect((await session.turn()).hidden).toBe(20)
    toolSearch.catalogue.remove(many(15).map(({ name }) => name))
    const { tools, hidden } = await session.turn()
    expect(hidden).toBe(0)
    const [first, ...others] = tools
    expect(first!.name).toBe('tool_search')
    expect(others.map(({ inputSchema }) => inputSchema)).toEqual(
      many(5).map(({ inputSchema }) => inputSchema),
    )
  })

  it('cortex handles the calls of a reply in order, so a call after a search finds its tool loaded', async () => {
    const lazy = { name: 'Lazy', loading: 'deferred', execute: () => 'done' } as const
    const loadedBy: string[] = []
    const toolSearch = createToolSearch({
      preset: cortex,
      tools: [lazy],
      onLoaded: ({ by }) => void loadedBy.push(by),
    })
    const session = await toolSearch.session('a')
    await session.turn()
    const results = await session.run([
      { name: 'ToolSearch', arguments: { query: 'select:Lazy' } },
      { name: 'Lazy', arguments: {} },
    ])
    expect(results).toMatchObject([
      { kind: 'answered', data: { loaded: ['Lazy'], alreadyAvailable: [] } },
      { kind: 'executed', text: 'done' },
    ])
    expect(loadedBy).toEqual(['search'])
  })

  it('claudeCodeWiki returns the full schema of every match, however large, also a second time', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 100 }, (_, i) => [
        `parameter_${i}`,
        { type: 'string', description: 'A parameter with a long description '.repeat(4) },
      ]),
    )
    const tools = many(5).map((tool) => ({ ...tool, inputSchema: { type: 'object', properties } }))
    const toolSearch = createToolSearch({ preset: claudeCodeWiki, activation: 'always', tools })
    const session = await toolSearch.session('a')
    for (const query of ['something', 'does something']) {
      const { answer } = await session.search({ query })
      const { loaded } = answer.data as { loaded: { inputSchema?: unknown }[] }
      expect(loaded).toHaveLength(5)
      for (const tool of loaded) expect(tool.inputSchema).toEqual({ type: 'object', properties })
    }
  })

  it('nexo splits the names of MCP tools only at underscores', () => {
    const toolSearch = createToolSearch({
      preset: nexo,
      tools: [{ name: 'mcp__jira__getIssue', loading: 'deferred' }],
    })
    expect(toolSearch.search('getIssue').hits[0]?.score).toBe(12)
    expect(toolSearch.search('issue').hits[0]?.score).toBe(6)
  })

  it.each(['“read_file”', '«read_file»', 'read_file…', '+read_file', '@read_file', '_read_file_'])(
    'everrunsLatest recognises the exact name in %s',
    (query) => {
      const tools = [{ name: 'read_file' }, { name: 'read_file_lines' }]
      const { hits } = createToolSearch({ preset: everrunsLatest, tools }).search(query)
      expect(hits.map(({ tool }) => tool.name)).toEqual(['read_file'])
    },
  )
})
