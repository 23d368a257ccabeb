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
// in the order of a pool that was not sorted
const tools: ToolDefinition[] = [
  { name: SEARCH, description: 'Find in the vault', inputSchema },
  { name: READ, description: 'Give the whole text', inputSchema },
  { name: POST, description: 'Tell a channel', inputSchema },
]

const pool = (given: ToolDefinition[] = tools) => createToolSearch({ tools: given, preset: cortex })
const sentNames = (turn: Turn) => turn.tools.map(({ name }) => name)

function scores(toolSearch: ToolSearch, query: string) {
  return toolSearch.search(query).hits.map(({ tool, score }) => [tool.name, score])
}

/** Tools `mcp__many__x0`, `…x1` and so on, the last one first. */
function many(count: number): ToolDefinition[] {
  return Array.from({ length: count }, (_, i) => ({ name: `mcp__many__x${count - 1 - i}` }))
}

describe('cortex: what is sent', () => {
  it('004.1, 004.2 sends the search tool in every turn while it is on', async () => {
    const session = await pool().session('a')
    expect(sentNames(await session.turn())).toEqual(['ToolSearch'])
    await session.search({ query: `select:${READ}` })
    expect(sentNames(await session.turn())).toEqual(['ToolSearch', READ])
  })

  it('004.1 has no search tool when it is off', async () => {
    const session = await createToolSearch({ tools, preset: cortex, activation: 'never' }).session(
      'a',
    )
    expect(sentNames(await session.turn())).toEqual([SEARCH, READ, POST])
  })

  it('004.10, 004.19 lists the names to be loaded, sorted, the same bytes each time', async () => {
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

  it('004.9, 004.10 takes a loaded name off the list, and the list away with the last', async () => {
    const session = await pool().session('a')
    await session.turn()
    await session.search({ query: `select:${READ}` })
    expect((await session.turn()).system?.split('\n\n').at(-1)).toBe(`- ${SEARCH}\n- ${POST}`)
    await session.search({ query: `select:${SEARCH},${POST}` })
    expect(await session.turn()).not.toHaveProperty('system')
  })

  it('004.6 changes the request only if a search loads something new', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    const turn = await session.turn()
    await session.search({ query: `select:${READ},nope` })
    await session.search({ query: 'nothing like it' })
    expect(await session.turn()).toEqual(turn)
  })

  it('004.8 keeps a tool loaded while its server is away and comes back', async () => {
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
    ['an MCP tool where those are eager', { isMcp: true }, { mcp: 'eager' }, false],
    ['any other tool', { isMcp: false }, {}, false],
    ['a tool that is to be deferred', { loading: 'deferred' }, {}, true],
    ['an MCP tool to be loaded always', { isMcp: true, loading: 'eager' }, {}, false],
    ['a deferred tool on the list', { loading: 'deferred' }, { alwaysOn: ['it'] }, false],
  ])('004.18 decides whether to defer %s', async (_, fields, deferral, isDeferred) => {
    const session = await createToolSearch({
      tools: [{ name: 'it', ...fields }],
      preset: cortex,
      deferral,
    }).session('a')
    expect((await session.turn()).hidden).toBe(isDeferred ? 1 : 0)
  })

  it('004.20 has a tool callable in the request after the search', async () => {
    const session = await pool().session('a')
    await session.turn()
    const call = { name: READ, arguments: { text: 'x' } }
    expect(await session.answer(call)).toMatchObject({ isError: true })
    await session.answer({ name: 'ToolSearch', arguments: { query: `select:${POST}` } })
    expect(await session.answer({ ...call, name: POST })).toBeUndefined()
    const sent = (await session.turn()).tools.find(({ name }) => name === POST)
    expect(sent?.inputSchema).toEqual(inputSchema)
  })

  it('004.21 loses nothing when the history is compacted', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    const turn = await session.turn()
    await session.compacted()
    expect(await session.turn()).toEqual(turn)
  })
})

describe('cortex: queries', () => {
  it('004.3 loads five, or as many as asked for, and all of a select', async () => {
    const count = async (input: object) => {
      const session = await pool(many(30)).session('a')
      return (await session.search(input)).outcome.hits.length
    }
    expect(await count({ query: 'many tools' })).toBe(5)
    expect(await count({ query: 'many tools', max_results: 28 })).toBe(28)
    const names = many(9).map(({ name }) => name)
    expect(await count({ query: `select:${names.join(',')}`, max_results: 2 })).toBe(9)
  })

  it('on purpose unlike cortex (004.3), a limit below one counts as one', async () => {
    const session = await pool(many(9)).session('a')
    const { outcome } = await session.search({ query: 'many tools', max_results: 0 })
    expect(outcome.hits).toHaveLength(1)
  })

  it.each([
    [`select:${POST},${READ}`, 'select', [POST, READ]],
    [READ, 'name', [READ]],
    ['mcp__obsidian', 'prefix', [READ, SEARCH]],
    ['vault channel', 'words', [SEARCH, POST]],
    ['+obsidian channel', 'words', [SEARCH, READ]],
  ])('004.4 understands %j as %s', (query, form, names) => {
    const outcome = pool().search(query)
    expect(outcome.form).toBe(form)
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(names)
  })

  it('004.11 trims the names of a select, drops empty ones and keeps their order', () => {
    const { hits } = pool().search(`select: ${POST} ,, ${READ},`)
    expect(hits.map(({ tool }) => tool.name)).toEqual([POST, READ])
  })

  it('on purpose unlike cortex (004.11), takes the select prefix in any case', () => {
    expect(pool().search(`Select:${READ}`).form).toBe('select')
  })

  it('004.11 finds nothing for a blank query, without an error', async () => {
    const { outcome, answer } = await (await pool().session('a')).search({ query: ' ' })
    expect(outcome.hits).toEqual([])
    expect(answer.isError).toBe(false)
  })

  it('004.11 takes a whole name before a prefix, though another name begins with it', () => {
    const { form, hits } = pool([{ name: `${READ}_twice` }, ...tools]).search(READ)
    expect(form).toBe('name')
    expect(hits).toHaveLength(1)
  })

  it('004.11 sorts what a prefix finds before it cuts', async () => {
    const session = await pool(many(9)).session('a')
    const { outcome } = await session.search({ query: 'mcp__m', max_results: 2 })
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(['mcp__many__x0', 'mcp__many__x1'])
  })

  it('004.11 looks for words and prefixes among deferred tools only', async () => {
    const session = await pool([...tools, { name: 'mcp_note', isMcp: false }]).session('a')
    const names = async (query: string) =>
      (await session.search({ query })).outcome.hits.map(({ tool }) => tool.name)
    expect(await names('note')).toEqual([READ, SEARCH])
    expect(await names('mcp')).toEqual([READ, SEARCH, POST])
  })

  it('004.12 minds case in names and prefixes, and not in words', () => {
    expect(scores(pool(), READ.toUpperCase())).toEqual([[READ, 3]])
    expect(scores(pool(), 'MCP__SLACK')).toEqual([[POST, 3]])
    expect(scores(pool(), 'SLACK')).toEqual([[POST, 12]])
  })

  it('004.13 looks for a required word in name and description, and not in a hint', () => {
    const hinted = { ...tools[2]!, searchHint: 'vault' }
    expect(scores(pool([tools[0]!, tools[1]!, hinted]), '+vault post')).toEqual([[SEARCH, 2]])
  })

  it('004.13 looks for a required word in the full name', () => {
    expect(scores(pool(), '+slack__post')).toEqual([[POST, 3]])
  })

  it('on purpose unlike cortex (004.13), a lone plus is no word', () => {
    expect(scores(pool([{ name: 'a', description: '1 + 1' }]), '+')).toEqual([])
  })

  it.each([
    ['read_note', 'note', 10],
    ['readNote', 'note', 5],
    ['read.note', 'note', 5],
    ['read-note', 'note', 5],
  ])('004.14 takes %s apart at underscores only', (name, query, points) => {
    expect(scores(pool([{ name }]), query)).toEqual([[name, points]])
  })

  it.each([
    ['a name part', 'note', 12, 10],
    ['a piece of a name part', 'not', 6, 5],
    ['a piece of the full name', 'read_no', 3, 3],
    ['the description', 'quiet', 2, 2],
    ['a name part and not its description too', 'read', 12, 10],
  ])('004.15, 004.16 counts %s once, by the flag and not by the name', (_, query, mcp, other) => {
    const tool = { name: 'my_read_note', description: 'A quiet read of a note' }
    expect(scores(pool([{ ...tool, isMcp: true }]), query)).toEqual([[tool.name, mcp]])
    expect(scores(pool([{ ...tool, isMcp: false }]), query)).toEqual([[tool.name, other]])
  })

  it('004.16 keeps the order of the pool among equals', () => {
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
  ])('gives the golden numbers for %j', (query, expected) => {
    expect(scores(pool(), query)).toEqual(expected)
  })

  it('takes "mcp" alone for a prefix, as the golden numbers say', () => {
    expect(pool().search('mcp').form).toBe('prefix')
  })
})

describe('cortex: answers', () => {
  it('004.5 tells what was loaded and how many are left after it', async () => {
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

  it('004.7 names what was loaded, was there and is missing, and says no more of them', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    const { answer } = await session.search({ query: `select:nope,${READ},${POST}` })
    expect(answer.text).toBe(
      `Loaded:\n- ${POST}\n\nAlready loaded:\n- ${READ}\n\nNot found:\n- nope`,
    )
  })

  it('004.7 says that nothing matches and how many tools are left', async () => {
    const session = await pool().session('a')
    const { text } = (await session.search({ query: 'weather' })).answer
    expect(text).toMatch(/no match/i)
    expect(text).toMatch(/\b3\b.*list/)
  })

  it('004.7 speaks of no tools left when all are loaded', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ},${SEARCH},${POST}` })
    const { text } = (await session.search({ query: 'weather' })).answer
    expect(text).toMatch(/no match/i)
    expect(text).not.toMatch(/available/)
  })

  it('on purpose unlike cortex (004.17), a tool selected twice is already loaded', async () => {
    const session = await pool().session('a')
    await session.search({ query: `select:${READ}` })
    await session.turn()
    const { answer } = await session.search({ query: `select:${READ},${READ}` })
    expect(answer.data).toMatchObject({ loaded: [], alreadyAvailable: [READ], notFound: [] })
  })

  it('004.17 confirms a loaded tool that words find, and misses nothing', async () => {
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

  it('answers an empty select with no match', async () => {
    const { answer } = await (await pool().session('a')).search({ query: 'select: ,' })
    expect(answer.text).toMatch(/no match/i)
  })
})
