import { describe, expect, it } from 'vitest'
import { createToolSearch, everruns } from '../index.ts'

const many = Array.from({ length: 130 }, (_, at) => ({
  name: `mcp__hub__tool_${String(at).padStart(3, '0')}`,
  description: 'Do something',
}))
const names = many.map(({ name }) => name)

describe('what a search leaves out', () => {
  it('says how many more tools match a prefix with 40 matches, and names some', async () => {
    const tools = many.slice(0, 40).toReversed()
    const session = await createToolSearch({ tools }).session('a')
    const { outcome, answer } = await session.search({ query: 'mcp__hub__' })
    expect(outcome).toMatchObject({
      form: 'prefix',
      hits: names.slice(0, 5).map((name) => ({ tool: { name } })),
      omitted: { count: 35, names: names.slice(5, 25) },
    })
    expect(answer.data).toMatchObject({
      omitted: names.slice(5, 25),
      message:
        '5 tools loaded. You can call them now. 35 more tools match. Use a longer prefix or ask ' +
        'for more results.',
    })
  })

  it('names the names of a select query beyond the cap', async () => {
    const session = await createToolSearch({ tools: many }).session('a')
    const query = `select:${names.slice(0, 60).join(',')}`
    const { outcome, answer } = await session.search({ query })
    expect(outcome.hits).toHaveLength(50)
    expect(outcome.omitted).toEqual({ count: 10, names: names.slice(50, 60) })
    expect(answer.data).toMatchObject({
      omitted: names.slice(50, 60),
      message: expect.stringContaining('10 names ignored: too many names in one select.'),
    })
  })

  it('is nothing if the result is complete', () => {
    const toolSearch = createToolSearch({ tools: many })
    for (const query of ['mcp__hub__tool_00', names[0]!, `select:${names[0]}`, 'something']) {
      const options = query === 'mcp__hub__tool_00' ? { limit: 10 } : {}
      expect(toolSearch.search(query, options).omitted).toEqual({ count: 0, names: [] })
    }
  })

  it('is everything if the limit is 0', () => {
    const toolSearch = createToolSearch({ tools: many })
    for (const [query, count] of [
      ['mcp__hub__', 130],
      [names[0]!, 1],
      [`${names[0]} ${names[1]}`, 2],
      [`use ${names[0]} to do something`, 1],
      ['do something', 0],
    ] as const) {
      expect(toolSearch.search(query, { limit: 0 })).toMatchObject({
        hits: [],
        closest: [],
        omitted: { count },
      })
    }
  })

  it('counts the tools that a blank query does not list', () => {
    const toolSearch = createToolSearch({ preset: everruns, tools: many })
    expect(toolSearch.search(' ', { limit: 3 })).toMatchObject({
      hits: names.slice(0, 3).map((name) => ({ tool: { name } })),
      omitted: { count: 127, names: names.slice(3, 23) },
    })
  })
})

describe('a search before any tool exists', () => {
  it('says that no tools are connected yet and which servers are missing', async () => {
    const toolSearch = createToolSearch()
    toolSearch.sources.set({ source: 'mcp:hub', state: 'connecting' })
    const session = await toolSearch.session('a')
    const { answer } = await session.search({ query: 'create issue' })
    expect(answer.data).toMatchObject({
      not_ready: [{ server: 'hub', state: 'connecting' }],
      message: expect.stringMatching(/^No tools are available.*not_ready are not connected/),
    })
  })
})
