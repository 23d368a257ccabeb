import { describe, expect, it } from 'vitest'
import {
  createToolSearch,
  everruns,
  everrunsLatest,
  type ToolDefinition,
  type ToolSearch,
} from '../../index.ts'

const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const open = { type: 'object', additionalProperties: true }
const files: ToolDefinition[] = [
  { name: 'read_file', description: 'Read a file from disk', inputSchema: path },
  { name: 'send_email', description: 'Send an email to somebody', inputSchema: path },
  { name: 'write_file', description: 'Put text in a file', inputSchema: path },
]

/** Tools called `t0`, `t1`, …, with a schema that is worth hiding. */
function plainTools(count: number): ToolDefinition[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `t${i}`,
    description: `Number ${i} of many`,
    inputSchema: path,
  }))
}

function scores(toolSearch: ToolSearch, query: string) {
  return toolSearch.search(query).hits.map(({ tool, score }) => [tool.name, score])
}

describe('everruns: stubs in place of schemas', () => {
  it('002.1, 002.4 offers one tool, which takes a query and nothing else', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    const [search] = (await session.turn()).tools
    expect(search).toMatchObject({
      name: 'tool_search',
      inputSchema: { type: 'object', required: ['query'], additionalProperties: false },
    })
    expect(search!.inputSchema.properties).toEqual({
      query: expect.objectContaining({ type: 'string' }),
    })
  })

  it('002.2 says that parameters are hidden and how to get them', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    const { system } = await session.turn()
    expect(system).toMatch(/names and descriptions.*shown.*parameters are hidden/i)
    expect(system).toMatch(/tool_search with a short query.*before you call/)
    expect(system).toMatch(/frequent use keep/)
  })

  it('002.3, 002.5 begins at 15 tools, counting the search tool and tools never deferred', async () => {
    const eager: ToolDefinition = { name: 'bash', inputSchema: path, loading: 'eager' }
    const turn = async (count: number) => {
      const tools = [...plainTools(count), eager]
      return (await createToolSearch({ tools, preset: everruns }).session('a')).turn()
    }
    expect((await turn(12)).hidden).toBe(0)
    expect((await turn(13)).hidden).toBe(13)
  })

  it('002.3 takes another threshold', async () => {
    const session = await createToolSearch({
      tools: files,
      preset: everruns,
      activation: { toolCount: 4, of: 'all' },
    }).session('a')
    expect((await session.turn()).hidden).toBe(3)
  })

  it('002.5 touches nothing below the threshold', async () => {
    const session = await createToolSearch({ tools: plainTools(13), preset: everruns }).session('a')
    expect((await session.turn()).tools).toEqual(plainTools(13))
  })

  it('on purpose unlike everruns (002.2, 002.34), sends no search tool or note there', async () => {
    const session = await createToolSearch({ tools: plainTools(13), preset: everruns }).session('a')
    const turn = await session.turn()
    expect(turn.tools.map(({ name }) => name)).not.toContain('tool_search')
    expect(turn).not.toHaveProperty('system')
  })

  it('on purpose unlike everruns (002.10), defers there what is to be deferred on request', async () => {
    const tools: ToolDefinition[] = [...plainTools(2), { name: 'rare', loading: 'deferred' }]
    const session = await createToolSearch({ tools, preset: everruns }).session('a')
    const { tools: sent } = await session.turn()
    expect(sent.map(({ name }) => name)).toEqual(['tool_search', 't0', 't1', 'rare'])
    expect(sent[1]!.inputSchema).toEqual(path)
    expect(sent[3]!.inputSchema).toMatchObject(open)
  })

  it('002.6 strips tools of every origin but the search tool and those never deferred', async () => {
    const tools: ToolDefinition[] = [
      { name: 'built_in', inputSchema: path },
      { name: 'ask_user', inputSchema: path, source: 'client' },
      { name: 'mcp_github__open_issue', inputSchema: path },
      { name: 'bash', inputSchema: path, loading: 'eager' },
    ]
    const session = await createToolSearch({
      tools,
      preset: everruns,
      activation: 'always',
    }).session('a')
    const full = (await session.turn()).tools.filter(
      ({ inputSchema }) => inputSchema.additionalProperties !== true,
    )
    expect(full.map(({ name }) => name)).toEqual(['tool_search', 'bash'])
  })

  it('002.7 leaves a stub that names the search and the query, beside name and description', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    const stub = (await session.turn()).tools.find(({ name }) => name === 't7')
    expect(stub).toEqual({
      name: 't7',
      description: 'Number 7 of many',
      inputSchema: { ...open, description: expect.stringMatching(/tool_search.*"t7"/) },
    })
  })

  it('002.8, 002.17 still has the full schema after two turns', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    await session.turn()
    await session.turn()
    const { answer } = await session.search({ query: 't7' })
    expect(answer.data).toMatchObject({ tools: [{ name: 't7', parameters: path }] })
  })

  it('loads nothing, and lets a call through that was made on the stub', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    const before = await session.turn()
    await session.search({ query: 't7' })
    expect(await session.answer({ name: 't7', arguments: { path: '/' } })).toBeUndefined()
    expect(await session.turn()).toEqual(before)
  })
})

describe('everruns: search', () => {
  const search = () => createToolSearch({ tools: files, preset: everruns })

  it.each(['+email', '"email"', 'email,', '(EMAIL)', '`email`?'])(
    '002.12 reads %s as the word email',
    (query) => {
      expect(scores(search(), query)).toEqual([['send_email', 1]])
    },
  )

  it('002.12 does not want a word with a plus in the name', () => {
    expect(scores(search(), '+disk')).toEqual([['read_file', 1]])
  })

  it('002.13 gives a point for each word found in name or description, again if repeated', () => {
    expect(scores(search(), 'disk read_ read nothing read')).toEqual([['read_file', 4]])
  })

  it.each(['', ' + " ', '...'])('002.14 shows every tool in order for %j', (query) => {
    expect(scores(search(), query)).toEqual([
      ['read_file', 0],
      ['send_email', 0],
      ['write_file', 0],
    ])
  })

  it('002.15 gives twelve at most, whatever is asked, ties in order of arrival', async () => {
    const tools = plainTools(20).reverse()
    tools[3] = { ...tools[3]!, loading: 'eager' }
    const session = await createToolSearch({ tools, preset: everruns }).session('a')
    const { outcome } = await session.search({ query: 'many', limit: 20, max_results: 20 })
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(
      tools.slice(0, 12).map(({ name }) => name),
    )
  })

  it('002.16 knows neither select nor itself', () => {
    expect(search().search('select:read_file')).toMatchObject({ form: 'words', hits: [] })
    const toolSearch = createToolSearch({ tools: [{ name: 'tool_search' }], preset: everruns })
    expect(scores(toolSearch, 'tool_search')).toEqual([])
    expect(scores(toolSearch, '')).toEqual([])
  })

  it('002.18 finds the reader for "read file" and the mailer alone for "email"', () => {
    expect(scores(search(), 'read file')[0]![0]).toBe('read_file')
    expect(scores(search(), 'email').map(([name]) => name)).toEqual(['send_email'])
  })

  it('002.20 keeps tools the caller may not use out of results and of the list of all', async () => {
    const session = await search().session('a', { visible: ['send_email', 'write_file'] })
    const hit = await session.search({ query: 'file' })
    expect(hit.outcome.hits.map(({ tool }) => tool.name)).toEqual(['write_file'])
    const none = await session.search({ query: 'nonsense' })
    expect(none.answer.data).toMatchObject({ available_tools: ['send_email', 'write_file'] })
  })

  it.each([{}, { query: 5 }, undefined])('002.21 takes %j for an empty query', async (input) => {
    const { outcome } = await (await search().session('a')).search(input)
    expect(outcome.hits).toHaveLength(3)
  })

  it('002.22 answers with name, description and parameters', async () => {
    const { answer } = await (await search().session('a')).search({ query: 'email' })
    expect(answer.data).toEqual({
      query: 'email',
      tools: [{ name: 'send_email', description: 'Send an email to somebody', parameters: path }],
    })
  })

  it('002.23 succeeds with all names when nothing matches', async () => {
    const { answer } = await (await search().session('a')).search({ query: 'calendar' })
    expect(answer.isError).toBe(false)
    expect(answer.data).toEqual({
      query: 'calendar',
      tools: [],
      message: expect.any(String),
      available_tools: ['read_file', 'send_email', 'write_file'],
    })
  })

  it('on purpose unlike everruns, stops the list of all names at 200', async () => {
    const session = await createToolSearch({ tools: plainTools(201), preset: everruns }).session(
      'a',
    )
    const { answer } = await session.search({ query: 'calendar' })
    expect(answer.data).toMatchObject({
      available_tools: plainTools(200).map(({ name }) => name),
    })
  })

  it('gives the golden numbers', () => {
    expect(scores(search(), 'read file')).toEqual([
      ['read_file', 2],
      ['write_file', 1],
    ])
    expect(scores(search(), '"read_file"')).toEqual([['read_file', 1]])
    expect(scores(search(), 'file').map(([name]) => name)).toEqual(['read_file', 'write_file'])
  })
})

describe('everrunsLatest', () => {
  const latest = (tools: ToolDefinition[]) => createToolSearch({ tools, preset: everrunsLatest })

  it('002.24 gives a found tool its schema from the next turn on, and says so', async () => {
    const session = await latest(plainTools(14)).session('a')
    await session.turn()
    const { answer } = await session.search({ query: 't7' })
    expect(answer.data).toMatchObject({ loaded: ['t7'], message: expect.any(String) })
    for (let turn = 0; turn < 2; turn++) {
      const full = (await session.turn()).tools.slice(1).filter((tool) => tool.inputSchema === path)
      expect(full.map(({ name }) => name)).toEqual(['t7'])
    }
  })

  it('002.25 keeps sessions apart', async () => {
    const toolSearch = latest(plainTools(14))
    await (await toolSearch.session('a')).search({ query: 't7' })
    expect((await (await toolSearch.session('b')).turn()).hidden).toBe(14)
  })

  it('002.25 remembers 4,096 sessions and forgets the oldest', async () => {
    const toolSearch = latest(plainTools(1))
    for (let i = 0; i <= 4096; i++) await (await toolSearch.session(`s${i}`)).load(['t0'])
    expect((await toolSearch.session('s1')).loaded).toEqual(['t0'])
    expect((await toolSearch.session('s0')).loaded).toEqual([])
  })

  it('002.26 gives eight at most', () => {
    expect(latest(plainTools(20)).search('many').hits).toHaveLength(8)
  })

  it('002.27 counts the name before the description and cuts below half of the best', () => {
    const tools = [
      { name: 'a', description: 'mail and calendar' },
      { name: 'b', description: 'mail' },
      { name: 'mail_c', description: '' },
    ]
    expect(scores(latest(tools), 'mail calendar')).toEqual([
      ['mail_c', 3],
      ['a', 2],
    ])
  })

  it.each(['read_file', '"read_file"', '`read_file`', 'READ_FILE', '**read_file**', 'read_file?'])(
    '002.27 finds one tool alone by its name written %s',
    (query) => {
      const tools = [{ name: 'read_file_lines', description: 'Like read_file' }, ...files]
      expect(scores(latest(tools), query)).toEqual([['read_file', 103]])
    },
  )

  it('002.28 leaves bare stubs', async () => {
    const { tools } = await (await latest(plainTools(14)).session('a')).turn()
    for (const tool of tools.slice(1)) expect(tool.inputSchema).toEqual(open)
  })

  it('002.29 never defers what is on the list', async () => {
    const session = await createToolSearch({
      tools: plainTools(14),
      preset: everrunsLatest,
      deferral: { alwaysOn: ['t3'] },
    }).session('a')
    const full = (await session.turn()).tools.filter((tool) => tool.inputSchema === path)
    expect(full.map(({ name }) => name)).toEqual(['t3'])
  })

  it('002.30 has the schemas of MCP tools again after a round trip through JSON', async () => {
    const tools = plainTools(14).map((tool) => ({ ...tool, name: `mcp_many__${tool.name}` }))
    const session = await latest(tools).session('a')
    await session.search({ query: 'mcp_many__t7' })
    const json = JSON.parse(JSON.stringify(session.snapshot()))
    const restored = await latest(tools).restore(json)
    const full = (await restored.turn()).tools.filter((tool) => tool.inputSchema === path)
    expect(full.map(({ name }) => name)).toEqual(['mcp_many__t7'])
  })

  it('002.31 makes a list of 19 ordinary tools more than 40 % smaller', async () => {
    const property = (name: string) => ({ type: 'string', description: `The ${name} to work on` })
    const properties = { file: property('file'), line: property('line'), text: property('text') }
    const inputSchema = { type: 'object', properties, required: ['file'] }
    const tools = plainTools(19).map((tool) => ({ ...tool, inputSchema }))
    const sent = (await (await latest(tools).session('a')).turn()).tools
    const bytes = (value: unknown) => JSON.stringify(value).length
    expect(bytes(sent)).toBeLessThan(0.6 * bytes(tools))
    const schemas = sent.slice(1).map((tool) => tool.inputSchema)
    expect(bytes(schemas)).toBeLessThan(0.35 * 19 * bytes(inputSchema))
  })

  it('gives the golden numbers', () => {
    expect(scores(latest(files), 'read file')).toEqual([
      ['read_file', 6],
      ['write_file', 3],
    ])
    expect(scores(latest(files), '"read_file"')).toEqual([['read_file', 103]])
    expect(scores(latest(files), 'file').map(([name]) => name)).toEqual(['read_file', 'write_file'])
  })
})
