import { describe, expect, it } from 'vitest'
import {
  cortex,
  createToolSearch,
  type ToolDefinition,
  type ToolSearch,
  type Turn,
} from '../../index.ts'

const READ = 'mcp__obsidian__read_note'
const SEARCH = 'mcp__obsidian__search_notes'
const POST = 'mcp__slack__post_message'
const inputSchema = { type: 'object', properties: { text: { type: 'string' } } }
// deliberately unsorted
const tools: ToolDefinition[] = [
  { name: SEARCH, description: 'Find in the vault', inputSchema },
  { name: READ, description: 'Give the whole text', inputSchema },
  { name: POST, description: 'Tell a channel', inputSchema },
]

const pool = (definitions: ToolDefinition[] = tools) =>
  createToolSearch({ tools: definitions, preset: cortex })
const sentNames = (turn: Turn) => turn.tools.map(({ name }) => name)

function scores(toolSearch: ToolSearch, query: string) {
  return toolSearch.search(query).hits.map(({ tool, score }) => [tool.name, score])
}

/** Tools `mcp__many__x0`, `…x1` and so on, in reverse order. */
function many(count: number): ToolDefinition[] {
  return Array.from({ length: count }, (_, i) => ({ name: `mcp__many__x${count - 1 - i}` }))
}

describe('cortex: requests', () => {
  it('sends the search tool in every request while deferral is on', async () => {
    const session = await pool().session('a')
    expect(sentNames(await session.turn())).toEqual(['ToolSearch'])
    await session.search({ query: `select:${READ}` })
    expect(sentNames(await session.turn())).toEqual(['ToolSearch', READ])
  })

  it('keeps the search tool in the request once every tool is loaded', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ},${SEARCH},${POST}` })
    const turn = await session.turn()
    expect(sentNames(turn)).toEqual(['ToolSearch', READ, SEARCH, POST])
    expect(turn.hidden).toBe(0)
    expect(await session.turn()).toEqual(turn)
  })

  it('sends the search tool, but no list, while no tool is deferred yet', async () => {
    const toolSearch = pool([{ name: 'bash' }])
    const session = await toolSearch.session('a')
    const turn = await session.turn()
    expect(sentNames(turn)).toEqual(['ToolSearch', 'bash'])
    expect(turn).not.toHaveProperty('system')
    toolSearch.catalogue.add(tools)
    expect((await session.turn()).tools).toEqual(turn.tools)
  })

  it('marks the search tool as sequential, which requests do not contain', async () => {
    expect((await pool().session('a')).searchTool.execution).toBe('sequential')
    expect(Object.keys((await (await pool().session('a')).turn()).tools[0]!)).toEqual([
      'name',
      'description',
      'inputSchema',
    ])
  })

  it('declares max_results as an optional number with a default of 5', () => {
    expect(cortex.searchTool.inputSchema).toMatchObject({
      required: ['query'],
      properties: { query: { type: 'string' }, max_results: { type: 'number', default: 5 } },
    })
  })

  it('says in its description that loaded tools are callable on the next turn', () => {
    expect(cortex.searchTool.description).toContain('callable on the next turn')
  })

  it('sends no search tool when deferral is off', async () => {
    const session = await createToolSearch({ tools, preset: cortex, activation: 'never' }).session(
      'a',
    )
    expect(sentNames(await session.turn())).toEqual([SEARCH, READ, POST])
  })

  it('lists hidden names, sorted, with identical bytes each time', async () => {
    const session = await pool().session('a')
    const { system } = await session.turn()
    expect(system).toMatch(/^# .+\n\n.*ToolSearch before.*directly fails.*\n\n/)
    expect(system?.split('\n\n').at(-1)).toBe(`- ${READ}\n- ${SEARCH}\n- ${POST}`)
    expect((await session.turn()).system).toBe(system)
    expect(
      (
        await pool([...tools].reverse())
          .session('b')
          .then((b) => b.turn())
      ).system,
    ).toBe(system)
  })

  it('removes loaded names from the list, and the list when it is empty', async () => {
    const session = await pool().session('a')
    await session.turn()
    await session.search({ query: `select:${READ}` })
    expect((await session.turn()).system?.split('\n\n').at(-1)).toBe(`- ${SEARCH}\n- ${POST}`)
    await session.search({ query: `select:${SEARCH},${POST}` })
    expect(await session.turn()).not.toHaveProperty('system')
  })

  it('changes the request only if a search loads a new tool', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    const turn = await session.turn()
    await session.search({ query: `select:${READ},nope` })
    await session.search({ query: 'nothing like it' })
    expect(await session.turn()).toEqual(turn)
  })

  it('keeps a tool loaded when its server disconnects and reconnects', async () => {
    const toolSearch = pool()
    const session = await toolSearch.session('a')
    await session.search({ query: `select:${READ}` })
    toolSearch.catalogue.sync('mcp:obsidian', [])
    expect(sentNames(await session.turn())).toEqual(['ToolSearch'])
    toolSearch.catalogue.sync('mcp:obsidian', tools.slice(0, 2))
    expect(sentNames(await session.turn())).toEqual(['ToolSearch', READ])
  })

  it.each<[string, Partial<ToolDefinition>, object, boolean]>([
    ['an MCP tool', { isMcp: true }, {}, true],
    ['an MCP tool if MCP tools are eager', { isMcp: true }, { mcp: 'eager' }, false],
    ['any other tool', { isMcp: false }, {}, false],
    ['a tool with loading: deferred', { loading: 'deferred' }, {}, true],
    ['an MCP tool with loading: eager', { isMcp: true, loading: 'eager' }, {}, false],
    ['a deferred tool that is always on', { loading: 'deferred' }, { alwaysOn: ['it'] }, false],
  ])('decides whether to defer: %s', async (_, fields, deferral, isDeferred) => {
    const session = await createToolSearch({
      tools: [{ name: 'it', ...fields }],
      preset: cortex,
      deferral,
    }).session('a')
    expect((await session.turn()).hidden).toBe(isDeferred ? 1 : 0)
  })

  it('makes a tool callable in the request after the search', async () => {
    const session = await pool().session('a')
    await session.turn()
    const call = { name: READ, arguments: { text: 'x' } }
    expect(await session.answer(call)).toMatchObject({ isError: true })
    await session.answer({ name: 'ToolSearch', arguments: { query: `select:${POST}` } })
    expect(await session.answer({ ...call, name: POST })).toMatchObject({ kind: 'run' })
    const sent = (await session.turn()).tools.find(({ name }) => name === POST)
    expect(sent?.inputSchema).toEqual(inputSchema)
  })

  it('keeps loaded tools when the history is compacted', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    const turn = await session.turn()
    await session.compacted()
    expect(await session.turn()).toEqual(turn)
  })
})

describe('cortex: queries', () => {
  it('loads five tools or the requested number, and every selected tool', async () => {
    const count = async (input: object) => {
      const session = await pool(many(30)).session('a')
      return (await session.search(input)).outcome.hits.length
    }
    expect(await count({ query: 'many tools' })).toBe(5)
    expect(await count({ query: 'many tools', max_results: 28 })).toBe(28)
    const names = many(9).map(({ name }) => name)
    expect(await count({ query: `select:${names.join(',')}`, max_results: 2 })).toBe(9)
  })

  it('loads every tool of a select, however many names it contains', async () => {
    const names = many(500).map(({ name }) => name)
    const session = await pool(many(500)).session('a')
    const { answer } = await session.search({ query: `select:${names.join(',')},nope` })
    expect(session.loaded).toEqual(names)
    expect(answer.data).toMatchObject({ loaded: names, notFound: ['nope'], totalDeferred: 0 })
    expect(answer.text.match(/^- /gm)).toHaveLength(501)
  })

  it.each([
    [0, 1],
    [-1, 5],
    [2.5, 5],
    ['3', 3],
  ])('unlike cortex (004.3), reads a limit of %j as %i', async (max_results, count) => {
    const session = await pool(many(9)).session('a')
    const { outcome } = await session.search({ query: 'many tools', max_results })
    expect(outcome.hits).toHaveLength(count)
  })

  it.each([
    [`select:${POST},${READ}`, 'select', [POST, READ]],
    [READ, 'name', [READ]],
    ['mcp__obsidian', 'prefix', [READ, SEARCH]],
    ['vault channel', 'words', [SEARCH, POST]],
    ['+obsidian channel', 'words', [SEARCH, READ]],
  ])('interprets %j as %s', (query, form, names) => {
    const outcome = pool().search(query)
    expect(outcome.form).toBe(form)
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(names)
  })

  it('trims selected names, drops empty ones and keeps their order', () => {
    const { hits } = pool().search(`select: ${POST} ,, ${READ},`)
    expect(hits.map(({ tool }) => tool.name)).toEqual([POST, READ])
  })

  it('unlike cortex (004.11), accepts "select:" case-insensitively', () => {
    expect(pool().search(`Select:${READ}`).form).toBe('select')
  })

  it('returns an empty result without an error for a blank query', async () => {
    const { outcome, answer } = await (await pool().session('a')).search({ query: ' ' })
    expect(outcome.hits).toEqual([])
    expect(answer.isError).toBe(false)
  })

  it('prefers an exact name even if another name starts with it', () => {
    const { form, hits } = pool([{ name: `${READ}_twice` }, ...tools]).search(READ)
    expect(form).toBe('name')
    expect(hits).toHaveLength(1)
  })

  it('takes the name of a tool that is never deferred for a prefix, and reports it for select', async () => {
    const read = { name: 'read', description: 'Give a file', loading: 'eager' } as const
    const session = await pool([read, { name: 'read_page', isMcp: true }, ...tools]).session('a')
    const { outcome } = await session.search({ query: 'read' })
    expect(outcome).toMatchObject({ form: 'prefix', hits: [{ tool: { name: 'read_page' } }] })
    const { answer } = await session.search({ query: 'select:read' })
    expect(answer.text).toBe('Already loaded:\n- read')
  })

  it('sorts prefix matches before applying the limit', async () => {
    const session = await pool(many(9)).session('a')
    const { outcome } = await session.search({ query: 'mcp__m', max_results: 2 })
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(['mcp__many__x0', 'mcp__many__x1'])
  })

  it('searches words and prefixes in deferred tools only', async () => {
    const session = await pool([...tools, { name: 'mcp_note', isMcp: false }]).session('a')
    const names = async (query: string) =>
      (await session.search({ query })).outcome.hits.map(({ tool }) => tool.name)
    expect(await names('note')).toEqual([READ, SEARCH])
    expect(await names('mcp')).toEqual([READ, SEARCH, POST])
  })

  it('is case-sensitive for names and prefixes, but not for keywords', () => {
    expect(scores(pool(), READ.toUpperCase())).toEqual([[READ, 3]])
    expect(scores(pool(), 'MCP__SLACK')).toEqual([[POST, 3]])
    expect(scores(pool(), 'SLACK')).toEqual([[POST, 12]])
  })

  it('matches a required word in name and description, but not in the hint', () => {
    const hinted = { ...tools[2]!, searchHint: 'vault' }
    expect(scores(pool([tools[0]!, tools[1]!, hinted]), '+vault post')).toEqual([[SEARCH, 2]])
  })

  it('matches a required word anywhere in the full name', () => {
    expect(scores(pool(), '+slack__post')).toEqual([[POST, 3]])
  })

  it('counts a word that is required twice once, and takes one plus sign away', () => {
    expect(scores(pool(), '+slack +slack')).toEqual(scores(pool(), '+slack'))
    expect(scores(pool(), 'slack slack')).toEqual([[POST, 24]])
    const plus = { name: 'inc', description: 'x++ and +y' }
    expect(scores(pool([plus]), '++y')).toEqual([['inc', 2]])
    expect(scores(pool([plus]), '++and')).toEqual([])
  })

  it('unlike cortex (004.13), ignores a lone "+"', () => {
    expect(scores(pool([{ name: 'a', description: '1 + 1' }]), '+')).toEqual([])
  })

  it.each([
    ['read_note', 'note', 10],
    ['readNote', 'note', 5],
    ['read.note', 'note', 5],
    ['read-note', 'note', 5],
  ])('splits %s at underscores only', (name, query, points) => {
    expect(scores(pool([{ name }]), query)).toEqual([[name, points]])
  })

  it.each([
    ['a name part', 'note', 12, 10],
    ['a part of a name part', 'not', 6, 5],
    ['a part of the full name', 'read_no', 3, 3],
    ['the description', 'quiet', 2, 2],
    ['a name part that is also in the description', 'read', 12, 10],
  ])('scores %s once, based on the isMcp flag', (_, query, mcp, other) => {
    const tool = { name: 'my_read_note', description: 'A quiet read of a note' }
    expect(scores(pool([{ ...tool, isMcp: true }]), query)).toEqual([[tool.name, mcp]])
    expect(scores(pool([{ ...tool, isMcp: false }]), query)).toEqual([[tool.name, other]])
  })

  it('keeps catalogue order for ties', () => {
    const names = scores(pool(), 'obsidian').map(([name]) => name)
    expect(names).toEqual([SEARCH, READ])
  })

  it.each([
    [
      'obsidian read',
      [
        [READ, 24],
        [SEARCH, 12],
      ],
    ],
    ['vault', [[SEARCH, 2]]],
    ['+slack message', [[POST, 24]]],
    [
      'note',
      [
        [READ, 12],
        [SEARCH, 6],
      ],
    ],
    ['read_note', [[READ, 3]]],
    [
      '+obsidian +note',
      [
        [READ, 24],
        [SEARCH, 18],
      ],
    ],
    [
      'mcp zzz',
      [
        [SEARCH, 12],
        [READ, 12],
        [POST, 12],
      ],
    ],
  ])('returns the golden scores for %j', (query, expected) => {
    expect(scores(pool(), query)).toEqual(expected)
  })

  it('treats "mcp" as a name prefix, like the golden scores', () => {
    expect(pool().search('mcp').form).toBe('prefix')
  })
})

describe('cortex: answers', () => {
  it('reports the loaded tools and how many remain', async () => {
    const session = await pool().session('a')
    const { answer } = await session.search({ query: 'slack' })
    expect(answer.data).toEqual({
      query: 'slack',
      loaded: [POST],
      alreadyAvailable: [],
      notFound: [],
      totalDeferred: 2,
    })
  })

  it('lists loaded, already loaded and missing tools by name only', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    const { answer } = await session.search({ query: `select:nope,${READ},${POST}` })
    expect(answer.text).toBe(
      `Loaded, callable on the next turn:\n- ${POST}\n\nAlready loaded:\n- ${READ}\n\nNot found:\n- nope`,
    )
  })

  it('reports that nothing matches and how many tools remain', async () => {
    const session = await pool().session('a')
    const { text } = (await session.search({ query: 'weather' })).answer
    expect(text).toMatch(/no match/i)
    expect(text).toMatch(/\b3\b.*list/)
  })

  it('omits the number of remaining tools when all are loaded', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ},${SEARCH},${POST}` })
    const { text } = (await session.search({ query: 'weather' })).answer
    expect(text).toMatch(/no match/i)
    expect(text).not.toMatch(/available/)
  })

  it('unlike cortex (004.17), reports a tool selected twice as already loaded', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    await session.turn()
    const { answer } = await session.search({ query: `select:${READ},${READ}` })
    expect(answer.data).toMatchObject({ loaded: [], alreadyAvailable: [READ], notFound: [] })
  })

  it('reports a loaded tool found by keywords as already loaded, not as missing', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    const { answer } = await session.search({ query: 'note nonsense' })
    expect(answer.data).toMatchObject({
      loaded: [SEARCH],
      alreadyAvailable: [READ],
      notFound: [],
      totalDeferred: 1,
    })
  })

  it('returns no match for an empty select', async () => {
    const { answer } = await (await pool().session('a')).search({ query: 'select: ,' })
    expect(answer.text).toMatch(/no match/i)
  })
})
