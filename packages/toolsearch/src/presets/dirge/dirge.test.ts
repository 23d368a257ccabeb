import { describe, expect, it } from 'vitest'
import {
  createToolSearch,
  dirge,
  type JsonSchema,
  type ToolDefinition,
  type ToolSearch,
  type Turn,
} from '../../index.ts'

// our own texts, with the lengths and bigrams that result in the golden scores
const fourTools: ToolDefinition[] = [
  { name: 'read', description: 'Read a file and get all of its lines or a few.' },
  { name: 'write', description: 'Write a file to disk, new or old' },
  { name: 'websearch', description: 'Search the web for pages and return ranked snippets' },
  { name: 'bash', description: 'Run a shell command.' },
]
const alwaysOn: ToolDefinition[] = [{ name: 'task_status' }, { name: 'write_todo_list' }]

const four = () => createToolSearch({ tools: fourTools, preset: dirge })
const sentNames = (turn: Turn) => turn.tools.map(({ name }) => name)
const foundNames = (toolSearch: ToolSearch, query: string) =>
  toolSearch.search(query).hits.map(({ tool }) => tool.name)

function parts(tool: ToolDefinition, query: string) {
  const [hit] = createToolSearch({ tools: [tool], preset: dirge }).search(query, {
    explain: true,
  }).hits
  return hit?.parts?.map(({ field, match, weight }) => [field, match, weight]) ?? []
}

describe('dirge: requests', () => {
  it('sends every tool unchanged when deferral is off', async () => {
    const tools = [...fourTools, ...alwaysOn]
    const session = await createToolSearch({ tools, preset: dirge, activation: 'never' }).session(
      'a',
    )
    const turn = await session.turn()
    expect(sentNames(turn)).toEqual(tools.map(({ name }) => name))
    expect(turn).not.toHaveProperty('system')
  })

  it('starts with the search tool and two always-on tools', async () => {
    const tools = [...fourTools, ...alwaysOn]
    const session = await createToolSearch({ tools, preset: dirge }).session('a')
    expect(sentNames(await session.turn())).toEqual([
      'tool_search',
      'task_status',
      'write_todo_list',
    ])
  })

  it('loads the hits from the next turn to the end of the session', async () => {
    const session = await four().session('a')
    await session.turn()
    await session.search({ query: 'file' })
    expect(session.loaded).toEqual(['write', 'read'])
    expect(sentNames(await session.turn())).toEqual(['tool_search', 'write', 'read'])
    await session.compacted()
    expect(sentNames(await session.turn())).toEqual(['tool_search', 'write', 'read'])
  })

  it('ignores a loaded tool that was removed', async () => {
    const toolSearch = four()
    const session = await toolSearch.session('a')
    await session.search({ query: 'file' })
    toolSearch.catalogue.remove('write')
    expect(session.loaded).toEqual(['write', 'read'])
    expect(sentNames(await session.turn())).toEqual(['tool_search', 'read'])
  })

  it('adds a one-line note without hidden names', async () => {
    const { system } = await (await four().session('a')).turn()
    expect(system).toContain('tool_search')
    expect(system).not.toContain('\n')
    for (const { name } of fourTools) expect(system).not.toMatch(new RegExp(`\\b${name}\\b`))
  })

  it('allows calls to unloaded tools', async () => {
    const session = await four().session('a')
    await session.turn()
    expect(await session.answer({ name: 'bash', arguments: { command: 'ls' } })).toMatchObject({
      kind: 'run',
    })
  })

  it('unlike dirge (003.7), checks the arguments', async () => {
    const inputSchema = { type: 'object', properties: { path: { type: 'string' } } }
    const tools = [{ name: 'read', inputSchema }]
    const session = await createToolSearch({ tools, preset: dirge }).session('a')
    expect(await session.answer({ name: 'read', arguments: { path: 1 } })).toMatchObject({
      isError: true,
      data: { inputSchema },
    })
  })

  it('unlike dirge (003.8), sends loaded tools last', async () => {
    const session = await createToolSearch({
      tools: [...fourTools, ...alwaysOn],
      preset: dirge,
    }).session('a')
    const first = sentNames(await session.turn())
    await session.search({ query: 'bash', top_k: 1 })
    await session.turn()
    await session.search({ query: 'read', top_k: 1 })
    expect(sentNames(await session.turn())).toEqual([...first, 'bash', 'read'])
  })

  it('can keep file tools always on', async () => {
    const session = await createToolSearch({
      tools: fourTools,
      preset: dirge,
      deferral: { alwaysOn: [...dirge.deferral.alwaysOn!, 'read', 'write', 'bash'] },
    }).session('a')
    expect(sentNames(await session.turn())).toEqual(['tool_search', 'read', 'write', 'bash'])
  })
})

describe('dirge: searched tools', () => {
  it('finds always-on tools, which count towards the limit, but never the search tool', async () => {
    const tools = [...fourTools, ...alwaysOn, { name: 'git_status' }, { name: 'tool_search' }]
    const session = await createToolSearch({ tools, preset: dirge }).session('a')
    const { outcome: task } = await session.search({ query: 'task status', top_k: 1 })
    expect(task.hits.map(({ tool }) => tool.name)).toEqual(['task_status'])
    const { outcome: all } = await session.search({ query: 'tool_search', top_k: 20 })
    expect(all.hits.map(({ tool }) => tool.name)).not.toContain('tool_search')
  })

  it('finds a tool added later and sends it only after a search found it', async () => {
    const toolSearch = four()
    const session = await toolSearch.session('a')
    await session.turn()
    toolSearch.catalogue.add({ name: 'mcp__zoo__feed_zebra', description: 'Zebra!' })
    expect(sentNames(await session.turn())).toEqual(['tool_search'])
    await session.search({ query: 'zebra', top_k: 1 })
    expect(sentNames(await session.turn())).toEqual(['tool_search', 'mcp__zoo__feed_zebra'])
  })

  it('returns eight results, or the requested number between 1 and 20', async () => {
    const tools = Array.from({ length: 30 }, (_, i) => ({ name: `tool_${i}` }))
    const session = await createToolSearch({ tools, preset: dirge }).session('a')
    const count = async (top_k?: number) =>
      (await session.search({ query: 'tool', top_k })).outcome.hits.length
    expect(await count()).toBe(8)
    expect(await count(3)).toBe(3)
    expect(await count(50)).toBe(20)
    expect(await count(0)).toBe(1)
  })

  it.each([
    {},
    { query: 3 },
    { query: 'read', top_k: -1 },
    { query: 'read', top_k: 1.5 },
    { query: 'read', top_k: '2' },
    { query: 'read', top_k: true },
    'read',
  ])('rejects the arguments %j with the prefix "tool_search:" and loads nothing', async (input) => {
    const session = await four().session('a')
    const { answer } = await session.search(input)
    expect(answer.isError).toBe(true)
    expect(answer.text).toMatch(/^tool_search: invalid args: /)
    expect(answer.data).toEqual({ error: answer.text })
    expect(session.loaded).toEqual([])
  })

  it('treats a top_k of null like a missing one', async () => {
    const session = await four().session('a')
    const { answer } = await session.search({ query: 'read', top_k: null })
    expect(answer.isError).toBe(false)
  })

  it('rejects a blank query with the prefix "tool_search:"', async () => {
    const { answer } = await (await four().session('a')).search({ query: ' \n' })
    expect(answer.isError).toBe(true)
    expect(answer.text).toMatch(/^tool_search: .*query cannot be empty/)
  })

  it('declares top_k as an optional integer and names the default and the maximum', () => {
    expect(dirge.searchTool.inputSchema).toEqual({
      type: 'object',
      required: ['query'],
      properties: {
        query: { type: 'string', description: expect.stringContaining('"') },
        top_k: { type: 'integer', description: expect.stringMatching(/\b8\b.*\b20\b/) },
      },
    })
  })

  it('says what is matched, that parts are enough, and that always-on tools need no search', () => {
    const { description } = dirge.searchTool
    for (const text of ['names and descriptions', 'part of a name or a verb', 'always have']) {
      expect(description).toContain(text)
    }
  })

  it('keeps the search tool and the note once every tool is loaded', async () => {
    const toolSearch = createToolSearch({ tools: fourTools.slice(0, 2), preset: dirge })
    const session = await toolSearch.session('a')
    const first = await session.turn()
    await session.search({ query: 'file' })
    const loaded = await session.turn()
    expect(sentNames(loaded)).toEqual(['tool_search', 'write', 'read'])
    expect([loaded.system, loaded.hidden]).toEqual([first.system, 0])
    toolSearch.catalogue.add([fourTools[3]!])
    expect((await session.turn()).tools).toEqual(loaded.tools)
  })
})

describe('dirge: scores', () => {
  it('adds up equality, containment, words and similarity for the name', () => {
    expect(parts({ name: 'read' }, ' READ ')).toEqual([
      ['name', 'exact', 10],
      ['name', 'contains', 4],
      ['name', 'similar', 3],
      ['name', 'part', 2],
    ])
  })

  it('scores a query contained in the name, and a name contained in the query', () => {
    expect(parts({ name: 'xread' }, 'read')).toContainEqual(['name', 'contains', 4])
    expect(parts({ name: 'read' }, 'xread')).toContainEqual(['name', 'contains', 4])
  })

  it('adds up containment, words and similarity for the description', () => {
    expect(parts({ name: '_', description: 'abc def' }, 'abc def')).toEqual([
      ['description', 'contains', 1.5],
      ['description', 'similar', 1],
      ['description', 'part', 0.5],
      ['description', 'part', 0.5],
    ])
  })

  it('matches words from two bytes in the name and from three in the description', () => {
    const words = (tool: ToolDefinition, query: string) =>
      parts(tool, query).filter(([, match]) => match === 'part')
    const tool = { name: 'a-gh-é', description: 'gh a é 字' }
    expect(words(tool, 'a zzz')).toEqual([])
    expect(words(tool, 'gh zzz')).toEqual([['name', 'part', 2]])
    expect(words(tool, 'é zzz')).toEqual([['name', 'part', 2]])
    expect(words(tool, '字 zzz')).toEqual([['description', 'part', 0.5]])
  })

  it.each([
    ['ÄNDERN', 'ändern', false],
    ['ändern', 'ändern', true],
    ['ÄNDERN', 'ÄNDERN', true],
    ['ÄNDERN', 'Ändern', true],
    ['ДАТА', 'дата', false],
    ['READ', 'read', true],
  ])(
    'compares the query %s with the name %s in ASCII lower case: equal is %s',
    (query, name, isEqual) => {
      const exact = parts({ name }, query).filter(([, match]) => match === 'exact')
      expect(exact).toHaveLength(isEqual ? 1 : 0)
    },
  )

  it('compares the words of other scripts as they are written', () => {
    const words = (query: string) =>
      parts({ name: 'über_uns', description: 'Über uns' }, query)
        .filter(([, match]) => match === 'part')
        .map(([field]) => field)
    expect(words('über zzz')).toEqual(['name'])
    expect(words('Über zzz')).toEqual(['description'])
    expect(words('ÜBER zzz')).toEqual(['description'])
    expect(words('ÜBËR zzz')).toEqual([])
  })

  it('counts a bigram as often as both texts contain it', () => {
    // aaaa has "aa" three times, aaa twice: 2 * 2 / (3 + 2)
    expect(parts({ name: '_', description: 'aaa' }, 'aaaa')).toEqual([
      ['description', 'similar', Math.fround(0.8)],
    ])
  })

  it.each(['a', '🚀'])('has no similarity for %s, a single character', (query) => {
    const tool = { name: query, description: query }
    expect(parts(tool, query).filter(([, match]) => match === 'similar')).toEqual([])
  })

  it('adds numbers of 32 bits, so that equal scores tie', () => {
    const tools = [
      { name: 'message', description: 'user open' },
      { name: 'close_run', description: 'edit' },
    ]
    const { hits } = createToolSearch({ tools, preset: dirge }).search('server branch')
    expect(hits.map(({ tool }) => tool.name)).toEqual(['message', 'close_run'])
    expect(hits[0]!.score).toBe(hits[1]!.score)
  })

  it('separates words at the whitespace of Unicode', () => {
    const tool = { name: 'open_read', description: '' }
    expect(parts(tool, 'open\u0085read').filter(([, match]) => match === 'part')).toHaveLength(2)
    expect(parts(tool, 'open\ufeffread').filter(([, match]) => match === 'part')).toEqual([])
  })

  it('keeps catalogue order for ties', () => {
    const tools = ['b', 'c', 'a'].map((name) => ({ name: `x${name}` }))
    const toolSearch = createToolSearch({ tools, preset: dirge })
    expect(foundNames(toolSearch, 'x')).toEqual(['xb', 'xc', 'xa'])
  })

  it('ranks the obvious tool first and stops at top_k', async () => {
    expect(foundNames(four(), 'read')[0]).toBe('read')
    expect(foundNames(four(), 'search the web')[0]).toBe('websearch')
    const session = await four().session('a')
    const { outcome } = await session.search({ query: 'file', top_k: 1 })
    expect(outcome.hits).toHaveLength(1)
    expect(foundNames(four(), 'qwwwq')).toEqual([])
  })

  it('has no query syntax: "+", "select:" and punctuation are plain text', () => {
    const tool = { name: '+slack', description: 'select:x' }
    expect(parts(tool, '+slack')).toContainEqual(['name', 'exact', 10])
    expect(parts(tool, 'select:x')).toContainEqual(['description', 'contains', 1.5])
    const words = parts({ name: 'slack' }, '+slack slack, other')
    expect(words.filter(([, match]) => match === 'part')).toEqual([])
  })

  it.each([
    ['read', { read: 21.125, websearch: 0.6209 }],
    ['search the web', { websearch: 9.4127, read: 0.444, write: 0.0909, bash: 0.0625 }],
    ['file', { write: 2.1765, read: 2.125 }],
    ['read a file', { read: 10.2483, write: 0.7927, websearch: 0.5, bash: 0.1379 }],
    ['qwwwq', {}],
    ['spreadsheet', { read: 5.5301, bash: 0.5995, websearch: 0.4667 }],
  ])('returns the golden scores for %j', (query, expected) => {
    const { hits } = four().search(query)
    expect(hits.map(({ tool }) => tool.name)).toEqual(Object.keys(expected))
    for (const [i, score] of Object.values(expected).entries()) {
      expect(hits[i]!.score).toBeCloseTo(score, 4)
    }
  })
})

describe('dirge: answers', () => {
  it('answers with the query, the results and a note as indented JSON', async () => {
    const session = await four().session('a')
    const { answer } = await session.search({ query: ' BASH ', top_k: 1 })
    const result = { name: 'bash', description: 'Run a shell command.', parameter_summary: '{}' }
    expect(answer.data).toEqual({ query: ' BASH ', results: [result], note: expect.any(String) })
    expect(answer.text).toBe(JSON.stringify(answer.data, undefined, 2))
  })

  it('unlike dirge (003.20), does not claim to have loaded tools if there are no hits', async () => {
    const session = await four().session('a')
    const hit = (await session.search({ query: 'read' })).answer
    const none = (await session.search({ query: 'qwwwq' })).answer
    expect(hit.data).toMatchObject({ note: expect.stringContaining('From the next turn on') })
    expect(none).toMatchObject({ isError: false, data: { results: [] } })
    expect(none.text).not.toContain('loaded')
  })

  it.each<[JsonSchema, string]>([
    [
      {
        type: 'object',
        properties: { path: { type: 'string' }, lines: { type: 'integer' } },
        required: ['path'],
      },
      '{path: string, lines?: integer}',
    ],
    [
      { type: 'object', properties: { id: { type: ['string', 'integer'] }, other: {} } },
      '{id?: any, other?: any}',
    ],
    [
      { type: 'object', properties: { at: { type: 'object', properties: { x: {} } } } },
      '{at?: object}',
    ],
    [{ type: 'object', properties: {} }, '{}'],
    [{ type: 'object' }, '<schema>'],
    [{ type: 'object', properties: [] as never }, '<schema>'],
  ])('summarises %j as %s', async (inputSchema, parameter_summary) => {
    const tools = [{ name: 'read', inputSchema }]
    const session = await createToolSearch({ tools, preset: dirge }).session('a')
    const { answer } = await session.search({ query: 'read' })
    expect(answer.data).toMatchObject({ results: [{ parameter_summary }] })
  })
})
