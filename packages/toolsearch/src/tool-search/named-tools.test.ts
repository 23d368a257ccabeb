import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import {
  claudeCode,
  createToolSearch,
  nexo,
  type SearchOutcome,
  type ToolDefinition,
} from '../index.ts'

const names = (outcome: SearchOutcome) => outcome.hits.map(({ tool }) => tool.name)

/** Twelve tools among 200 whose names and descriptions contain the same words. */
const lookAlikes: ToolDefinition[] = Array.from({ length: 200 }, (_, at) => ({
  name: `search_graph_code_${at}`,
  description: 'Search the graph of the code, find callers, trace a path, index a repository',
}))
const graphTools: ToolDefinition[] = [
  ...['search_graph', 'search_code', 'query_graph', 'trace_path', 'index_repository', 'get_code'],
  ...['list_projects', 'delete_project', 'get_architecture', 'detect_changes', 'adr', 'getStatus'],
].map((name) => ({ name, description: 'Part of the code graph server' }))
const graph = createToolSearch({ tools: [...lookAlikes, ...graphTools] })

describe('an exactly named tool among 200 look-alikes', () => {
  it('finds both tools of a query that consists of two names', () => {
    const outcome = graph.search('search_graph search_code')
    expect(names(outcome)).toEqual(['search_graph', 'search_code'])
    expect(outcome).toMatchObject({ form: 'name', omitted: { count: 0 } })
  })

  it('finds a tool named in a sentence before any other', () => {
    const outcome = graph.search('use search_graph to find callers')
    expect(names(outcome)[0]).toBe('search_graph')
    expect(outcome.hits).toHaveLength(5)
  })

  it('finds all named tools before any look-alike, in the order of the query', () => {
    const query = 'find callers with trace_path, then search_code, query_graph'
    expect(names(graph.search(query)).slice(0, 3)).toEqual([
      'trace_path',
      'search_code',
      'query_graph',
    ])
  })

  it('names the sixth tool if a query names six and the limit is five', async () => {
    const six = graphTools.slice(0, 6).map(({ name }) => name)
    for (const query of [six.join(' '), `please load ${six.join(', ')}`]) {
      const outcome = graph.search(query)
      expect(names(outcome)).toEqual(six.slice(0, 5))
      expect(outcome.omitted).toEqual({ count: 1, names: ['get_code'] })
      const session = await graph.session('six')
      const { answer } = await session.search({ query })
      expect(answer.data).toMatchObject({
        omitted: ['get_code'],
        message: expect.stringContaining('1 named tool left out'),
      })
      expect(names((await session.search({ query, max_results: 6 })).outcome)).toEqual(six)
    }
  })

  it.each([
    'use `search_graph` here',
    'use "search_graph", please',
    "what's 'search_graph'?",
    'call search_graph() now',
    'call search_graph(query) now',
    'call search_graph.',
    'the tool [search_graph]',
    'tool:search_graph now',
    'tool=search_graph now',
    'codegraph/search_graph now',
    'search_graph/search_code now',
    'callers,search_graph,path',
    "search_graph's results",
    '+search_graph callers',
    '**search_graph** callers',
  ])('recognises the name in %j', (query) => {
    expect(names(graph.search(query))[0]).toBe('search_graph')
  })

  it.each([
    ['mcp__git-hub__create.issue', 'file a bug with mcp__git-hub__create.issue please'],
    ['repos/issues:list', 'show them with repos/issues:list, ok?'],
    ['Create Issue', 'use Create Issue for this bug'],
    ['ping!', 'now ping! the host'],
    ['getStatus2', 'run getStatus2 on the graph'],
  ])('finds the name %s', (name, query) => {
    const tools = [...lookAlikes, { name, description: 'Unrelated words only' }]
    expect(names(createToolSearch({ tools }).search(query))[0]).toBe(name)
  })

  it('finds every tool that a query names, whatever else the query says', async () => {
    const word = fc.constantFrom(
      'search',
      'graph',
      'code',
      'please',
      'the',
      'recipe',
      '天气',
      '+',
      '"',
    )
    const named = fc.constantFrom(...graphTools.map(({ name }) => name).filter((n) => n !== 'adr'))
    await checkProperty(
      fc.property(fc.array(word), named, fc.array(word), fc.nat(4), (before, name, after, more) => {
        const query = [...before, name, ...after].join(' ')
        expect(names(graph.search(query, { limit: more + 1 }))).toContain(name)
      }),
    )
  })

  it('puts a pasted MCP name before its siblings in the claudeCode preset', () => {
    const tools = ['create_issue', 'create_issue_comment', 'list_issues'].map((name) => ({
      name: `mcp__github__${name}`,
      description: 'Call this to create an issue on GitHub; github create issue',
    }))
    tools[0]!.description = 'Opens a ticket'
    const search = createToolSearch({ preset: claudeCode, tools })
    const query = 'create issue on github with mcp__github__create_issue'
    expect(names(search.search(query))[0]).toBe('mcp__github__create_issue')
  })

  it('takes a name like any other word if the preset does not support names in queries', () => {
    const tools = [...lookAlikes, ...graphTools]
    const search = createToolSearch({ preset: nexo, tools })
    expect(names(search.search('use search_graph to find callers'))).not.toContain('search_graph')
  })

  it('does not reveal a named tool that the caller may not use', async () => {
    const session = await graph.session('limited', { visible: ['search_code', 'adr'] })
    const { outcome, answer } = await session.search({ query: 'search_graph and search_code' })
    expect(names(outcome)).toEqual(['search_code'])
    expect(JSON.stringify({ ...(answer.data as object), query: '' })).not.toContain('search_graph')
  })
})

describe('a tool whose name is an ordinary word', () => {
  const tools = [...lookAlikes, ...graphTools, { name: 'search', description: 'Web pages' }]
  const toolSearch = createToolSearch({ tools })

  it.each([
    'use search for the code graph',
    'find callers with the Search tool',
    'SEARCH callers code',
  ])('is among the hits but does not jump first: %j', (query) => {
    const found = names(toolSearch.search(query))
    expect(found).toHaveLength(5)
    expect(found[0]).not.toBe('search')
    expect(found).toContain('search')
  })

  it('only keeps its rank in a sentence that does not say that it means a tool', () => {
    const outcome = toolSearch.search('search the code graph for callers')
    expect(names(outcome)).toHaveLength(5)
    expect(names(outcome)).not.toContain('search')
    expect(outcome.omitted.count).toBe(0)
  })

  it('leaves the first place to the best hit', () => {
    const outcome = toolSearch.search('use search for the code graph', { limit: 1 })
    expect(names(outcome)).not.toContain('search')
    expect(outcome.omitted.names).toEqual(['search'])
  })

  it('is only a candidate if no match is sure', () => {
    const outcome = toolSearch.search('use search for a good pancake recipe')
    expect(outcome).toMatchObject({ hits: [], confidence: 'low' })
    expect(outcome.candidates.map(({ tool }) => tool.name)).toContain('search')
  })

  it.each(['call `search` with the code graph', 'search() in the code graph'])(
    'comes first if the query marks it as a name: %j',
    (query) => {
      expect(names(toolSearch.search(query))[0]).toBe('search')
    },
  )

  it('is found alone if it is the whole query', () => {
    expect(names(toolSearch.search('search'))).toEqual(['search'])
  })
})

describe('a named tool and required words', () => {
  const toolSearch = createToolSearch({
    tools: [
      { name: 'send_message', description: 'Send a message', source: 'mcp:teams' },
      { name: 'post', description: 'Send a message', source: 'mcp:slack' },
    ],
  })

  it('is left out without a required word, and the answer names it', async () => {
    const session = await toolSearch.session('a')
    const { outcome, answer } = await session.search({ query: '+slack send_message' })
    expect(names(outcome)).toEqual(['post'])
    expect(outcome.omitted).toEqual({ count: 1, names: ['send_message'] })
    expect(answer.data).toMatchObject({ omitted: ['send_message'] })
  })

  it('is not ruled out by a required word that names another tool', () => {
    expect(names(graph.search('+search_graph +search_code'))).toEqual([
      'search_graph',
      'search_code',
    ])
    expect(names(graph.search('+search_graph +search_code callers'))).toEqual([
      'search_graph',
      'search_code',
    ])
  })
})

describe('the explanation of a named tool', () => {
  it('says that the query contains its name', () => {
    const why = graph.explain('use search_graph to find callers', 'search_graph')
    expect(why.verdict).toBe('returned')
    expect(why.text).toMatch(/^search_graph was returned because the query contains its name/)
  })

  it('says that the limit left it out, also among the near misses', () => {
    const query = 'please use search_graph and search_code'
    const why = graph.explain(query, 'search_code', { limit: 1 })
    expect(why.verdict).toBe('below-limit')
    expect(why.text).toContain('contains the name of search_code, but the limit is 1')
    expect(graph.search(query, { limit: 1, nearMisses: 2 }).nearMisses?.[0]).toEqual(why)
  })

  it('covers a query of names only', () => {
    const query = 'search_graph search_code'
    expect(graph.explain(query, 'search_graph').verdict).toBe('returned')
    expect(graph.explain(query, 'search_code', { limit: 1 }).verdict).toBe('below-limit')
    expect(graph.explain(query, 'query_graph').verdict).toBe('not-searched')
  })
})

describe('select: with other spellings', () => {
  const toolSearch = createToolSearch({
    tools: [
      { name: 'search_graph' },
      { name: 'mcp__github__fork_repo', source: 'mcp:github' },
      { name: 'search_graphs' },
    ],
  })

  it.each([
    ['select:SEARCH_GRAPH', 'search_graph'],
    ['select:searchGraph', 'search_graph'],
    ['select:search-graphs', 'search_graphs'],
    ['select:github.fork_repo', 'mcp__github__fork_repo'],
    ['select:fork_repo', 'mcp__github__fork_repo'],
  ])('%s finds %s', (query, name) => {
    const outcome = toolSearch.search(query)
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual([name])
    expect(outcome.missing).toEqual([])
  })

  it('still reports a name that no tool has', () => {
    expect(toolSearch.search('select:search_grapf').missing).toMatchObject([
      { name: 'search_grapf', closest: expect.arrayContaining(['search_graph']) },
    ])
  })
})
