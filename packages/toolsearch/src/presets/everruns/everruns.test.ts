import { describe, expect, it } from 'vitest'
import {
  createToolSearch,
  everruns,
  everrunsLatest,
  type ToolDefinition,
  type ToolSearch,
} from '../../index.ts'
import { anthropic } from '../../providers/anthropic/anthropic.ts'

const path = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const open = { type: 'object', additionalProperties: true }
const files: ToolDefinition[] = [
  { name: 'read_file', description: 'Read a file from disk', inputSchema: path },
  { name: 'send_email', description: 'Send an email to somebody', inputSchema: path },
  { name: 'write_file', description: 'Put text in a file', inputSchema: path },
]

/** Tools called `t0`, `t1`, …, with a schema long enough to defer. */
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

describe('everruns: stub schemas', () => {
  it('offers one search tool with a query as its only argument', async () => {
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

  it.each([everruns, everrunsLatest])(
    'has the id, the display name and the category of the capability ($preset)',
    async ({ searchTool }) => {
      expect(searchTool).toMatchObject({
        name: 'tool_search',
        title: 'Tool Search',
        metadata: {
          id: 'tool_search',
          description: expect.stringContaining('parameters'),
          category: 'Optimization',
          status: 'available',
        },
      })
    },
  )

  it.each([everruns, everrunsLatest])(
    'marks the search tool as read-only and idempotent ($preset)',
    async (preset) => {
      const session = await createToolSearch({ preset }).session('a')
      expect(session.searchTool.annotations).toEqual({ readOnlyHint: true, idempotentHint: true })
    },
  )

  it('sends only name, description and schema of the search tool', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    const { tools, searchTool } = await session.turn()
    expect(Object.keys(tools[0]!)).toEqual(['name', 'description', 'inputSchema'])
    expect(searchTool).toBe(tools[0])
  })

  it('never defers the search tool', async () => {
    const session = await createToolSearch({
      tools: plainTools(14),
      preset: everruns,
      searchTool: { name: 'find' },
    }).session('a')
    const { tools, deferred } = await session.turn()
    expect(tools[0]).toMatchObject({ name: 'find', inputSchema: { required: ['query'] } })
    expect(deferred.map(({ name }) => name)).not.toContain('find')
  })

  it.each([everruns, everrunsLatest])(
    'tells the model that parameters are hidden and how to get them ($preset)',
    async (preset) => {
      const session = await createToolSearch({ tools: plainTools(14), preset }).session('a')
      const { system } = await session.turn()
      expect(system).toMatch(/names and descriptions.*shown.*parameters are hidden/i)
      expect(system).toMatch(/Before you call.*tool_search with a short query/)
      expect(system).toContain('{"query": "read file"}')
      expect(system).toMatch(/Frequently used tools keep/)
    },
  )

  it('activates at 15 tools, including the search tool and tools never deferred', async () => {
    const eager: ToolDefinition = { name: 'bash', inputSchema: path, loading: 'eager' }
    const turn = async (count: number) => {
      const tools = [...plainTools(count), eager]
      return (await createToolSearch({ tools, preset: everruns }).session('a')).turn()
    }
    expect((await turn(12)).hidden).toBe(0)
    expect((await turn(13)).hidden).toBe(13)
  })

  it('accepts a different threshold', async () => {
    const session = await createToolSearch({
      tools: files,
      preset: everruns,
      activation: { toolCount: 4, of: 'all' },
    }).session('a')
    expect((await session.turn()).hidden).toBe(3)
  })

  it('changes nothing below the threshold', async () => {
    const session = await createToolSearch({ tools: plainTools(13), preset: everruns }).session('a')
    expect((await session.turn()).tools).toEqual(plainTools(13))
  })

  it('unlike everruns (002.2, 002.34), sends no search tool or note below the threshold', async () => {
    const session = await createToolSearch({ tools: plainTools(13), preset: everruns }).session('a')
    const turn = await session.turn()
    expect(turn.tools.map(({ name }) => name)).not.toContain('tool_search')
    expect(turn).not.toHaveProperty('system')
  })

  it('unlike everruns (002.10), defers tools with loading: deferred below the threshold', async () => {
    const tools: ToolDefinition[] = [...plainTools(2), { name: 'rare', loading: 'deferred' }]
    const session = await createToolSearch({ tools, preset: everruns }).session('a')
    const { tools: sent } = await session.turn()
    expect(sent.map(({ name }) => name)).toEqual(['tool_search', 't0', 't1', 'rare'])
    expect(sent[1]!.inputSchema).toEqual(path)
    expect(sent[3]!.inputSchema).toMatchObject(open)
  })

  it('stubs tools of every source except the search tool and tools never deferred', async () => {
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

  it('keeps name and description, and the stub says which search to run', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    const stub = (await session.turn()).tools.find(({ name }) => name === 't7')
    expect(stub).toEqual({
      name: 't7',
      description: 'Number 7 of many',
      inputSchema: {
        ...open,
        description: expect.stringMatching(
          /before you call it, call tool_search with \{"query":"t7"\}/i,
        ),
      },
    })
  })

  it('keeps source, hints and metadata of a stubbed tool', async () => {
    const tool: ToolDefinition = {
      name: 'rare',
      source: 'client',
      annotations: { readOnlyHint: true },
      metadata: { category: 'Files' },
      tags: ['files'],
    }
    const tools = [...plainTools(13), tool]
    const session = await createToolSearch({ tools, preset: everruns }).session('a')
    const { deferred } = await session.turn()
    expect(deferred.at(-1)).toMatchObject(tool)
  })

  it('keeps the original schema, and a tool without a stub has it in the request', async () => {
    const tools: ToolDefinition[] = [
      ...plainTools(14),
      { name: 'bash', inputSchema: path, loading: 'eager' },
    ]
    const session = await createToolSearch({ tools, preset: everruns }).session('a')
    await session.turn()
    const turn = await session.turn()
    expect(session.tool('t7')!.inputSchema).toEqual(path)
    expect(turn.tools.find(({ name }) => name === 'bash')!.inputSchema).toEqual(path)
  })

  it("sends no stubs if the provider's own search is used", async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    const adapter = anthropic(session, { mode: 'native' })
    const { tools } = await adapter.request({ messages: [{ role: 'user', content: 'Hi' }] })
    const declared = tools?.find((tool) => 'name' in tool && tool.name === 't7')
    expect(declared).toMatchObject({ input_schema: path, defer_loading: true })
    expect(JSON.stringify(tools)).not.toContain('"name":"tool_search"')
  })

  it('still returns the full schema after two turns', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    await session.turn()
    await session.turn()
    const { answer } = await session.search({ query: 't7' })
    expect(answer.data).toMatchObject({ tools: [{ name: 't7', parameters: path }] })
  })

  it('loads nothing and allows calls based on the stub', async () => {
    const session = await createToolSearch({ tools: plainTools(14), preset: everruns }).session('a')
    const before = await session.turn()
    await session.search({ query: 't7' })
    expect(await session.answer({ name: 't7', arguments: { path: '/' } })).toMatchObject({
      kind: 'run',
    })
    expect(await session.turn()).toEqual(before)
  })
})

describe('everruns: search', () => {
  const search = () => createToolSearch({ tools: files, preset: everruns })

  it.each(['+email', '"email"', 'email,', '(EMAIL)', '`email`?'])(
    'interprets %s as the word email',
    (query) => {
      expect(scores(search(), query)).toEqual([['send_email', 1]])
    },
  )

  it('trims what Rust does not count as alphanumeric', () => {
    const tools = [{ name: 'a_Ⓐ_b', description: 'cafe\u0301s' }]
    const found = (query: string) => scores(createToolSearch({ tools, preset: everruns }), query)
    // Ⓐ is alphabetic, and a combining accent is not
    expect(found('Ⓐ')).toEqual([['a_Ⓐ_b', 1]])
    expect(found('cafe\u0301')).toEqual([['a_Ⓐ_b', 1]])
    expect(found('_b\u0085cafe')).toEqual([['a_Ⓐ_b', 2]])
  })

  it('does not treat a +word as required', () => {
    expect(scores(search(), '+disk')).toEqual([['read_file', 1]])
  })

  it('gives one point per matching query word, including repetitions', () => {
    expect(scores(search(), 'disk read_ read nothing read')).toEqual([['read_file', 4]])
  })

  it.each(['', ' + " ', '...'])('lists every tool in catalogue order for %j', (query) => {
    expect(scores(search(), query)).toEqual([
      ['read_file', 0],
      ['send_email', 0],
      ['write_file', 0],
    ])
  })

  it('returns at most twelve results, with ties in catalogue order', async () => {
    const tools = plainTools(20).reverse()
    tools[3] = { ...tools[3]!, loading: 'eager' }
    const session = await createToolSearch({ tools, preset: everruns }).session('a')
    const { outcome } = await session.search({ query: 'many', limit: 20, max_results: 20 })
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(
      tools.slice(0, 12).map(({ name }) => name),
    )
  })

  it('lists at most twelve tools for an empty query', () => {
    const toolSearch = createToolSearch({ tools: plainTools(20), preset: everruns })
    expect(scores(toolSearch, '').map(([name]) => name)).toEqual(
      plainTools(12).map(({ name }) => name),
    )
  })

  it('has no select syntax and never finds the search tool', () => {
    expect(search().search('select:read_file')).toMatchObject({ form: 'words', hits: [] })
    const toolSearch = createToolSearch({ tools: [{ name: 'tool_search' }], preset: everruns })
    expect(scores(toolSearch, 'tool_search')).toEqual([])
    expect(scores(toolSearch, '')).toEqual([])
  })

  it('ranks read_file first for "read file" and finds only the mail tool for "email"', () => {
    expect(scores(search(), 'read file')[0]![0]).toBe('read_file')
    expect(scores(search(), 'email').map(([name]) => name)).toEqual(['send_email'])
  })

  it('omits tools the caller may not use from results and from the list of names', async () => {
    const session = await search().session('a', { visible: ['send_email', 'write_file'] })
    const hit = await session.search({ query: 'file' })
    expect(hit.outcome.hits.map(({ tool }) => tool.name)).toEqual(['write_file'])
    const none = await session.search({ query: 'nonsense' })
    expect(none.answer.data).toMatchObject({ available_tools: ['send_email', 'write_file'] })
  })

  it.each([{}, { query: 5 }, undefined])('treats %j as an empty query', async (input) => {
    const { outcome } = await (await search().session('a')).search(input)
    expect(outcome.hits).toHaveLength(3)
  })

  it.each([everruns, everrunsLatest])(
    'echoes the query without surrounding whitespace ($preset)',
    async (preset) => {
      const session = await createToolSearch({ tools: files, preset }).session('a')
      const hit = await session.search({ query: '  email\n' })
      expect(hit.answer.data).toMatchObject({ query: 'email' })
      const none = await session.search({ query: '\t calendar ' })
      expect(none.answer.data).toMatchObject({ query: 'calendar', tools: [] })
    },
  )

  it('answers with name, description and parameters', async () => {
    const { answer } = await (await search().session('a')).search({ query: 'email' })
    expect(answer.data).toEqual({
      query: 'email',
      tools: [{ name: 'send_email', description: 'Send an email to somebody', parameters: path }],
    })
  })

  it('returns all names without an error if nothing matches', async () => {
    const { answer } = await (await search().session('a')).search({ query: 'calendar' })
    expect(answer.isError).toBe(false)
    expect(answer.data).toEqual({
      query: 'calendar',
      tools: [],
      message: expect.stringMatching(/no tools match\. search again.*available_tools/i),
      available_tools: ['read_file', 'send_email', 'write_file'],
    })
  })

  it('omits the search tool from the list of names', async () => {
    const tools = [...files, { name: 'tool_search' }]
    const session = await createToolSearch({ tools, preset: everruns }).session('a')
    const { answer } = await session.search({ query: 'calendar' })
    expect(answer.data).toMatchObject({ available_tools: files.map(({ name }) => name) })
  })

  it('unlike everruns, limits the list of names to 200 and says so', async () => {
    const session = await createToolSearch({ tools: plainTools(201), preset: everruns }).session(
      'a',
    )
    const { answer } = await session.search({ query: 'calendar' })
    expect(answer.data).toMatchObject({
      message: expect.stringContaining('first 200 of 201 names'),
      available_tools: plainTools(200).map(({ name }) => name),
    })
  })

  it('returns the golden scores', () => {
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

  it('sends the schema of a found tool from the next turn on, and says so', async () => {
    const session = await latest(plainTools(14)).session('a')
    await session.turn()
    const { answer } = await session.search({ query: 't7' })
    expect(answer.data).toMatchObject({ loaded: ['t7'], message: expect.any(String) })
    for (let turn = 0; turn < 2; turn++) {
      const full = (await session.turn()).tools.slice(1).filter((tool) => tool.inputSchema === path)
      expect(full.map(({ name }) => name)).toEqual(['t7'])
    }
  })

  it('keeps sessions separate', async () => {
    const toolSearch = latest(plainTools(14))
    await (await toolSearch.session('a')).search({ query: 't7' })
    expect((await (await toolSearch.session('b')).turn()).hidden).toBe(14)
  })

  it('remembers 4,096 sessions and forgets the oldest', async () => {
    const toolSearch = latest(plainTools(1))
    for (let i = 0; i <= 4096; i++) await (await toolSearch.session(`s${i}`)).load(['t0'])
    expect((await toolSearch.session('s1')).loaded).toEqual(['t0'])
    expect((await toolSearch.session('s0')).loaded).toEqual([])
  })

  it('returns at most eight results', () => {
    expect(latest(plainTools(20)).search('many').hits).toHaveLength(8)
  })

  it('weighs names above descriptions and drops hits below half of the best score', () => {
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
    'returns only one tool for its name written as %s',
    (query) => {
      const tools = [{ name: 'read_file_lines', description: 'Like read_file' }, ...files]
      expect(scores(latest(tools), query)).toEqual([['read_file', 103]])
    },
  )

  it('sends stubs without a note', async () => {
    const { tools } = await (await latest(plainTools(14)).session('a')).turn()
    for (const tool of tools.slice(1)) expect(tool.inputSchema).toEqual(open)
  })

  it('never defers always-on tools', async () => {
    const session = await createToolSearch({
      tools: plainTools(14),
      preset: everrunsLatest,
      deferral: { alwaysOn: ['t3'] },
    }).session('a')
    const full = (await session.turn()).tools.filter((tool) => tool.inputSchema === path)
    expect(full.map(({ name }) => name)).toEqual(['t3'])
  })

  it('still sends the schemas of loaded MCP tools after a JSON round trip', async () => {
    const tools = plainTools(14).map((tool) => ({ ...tool, name: `mcp_many__${tool.name}` }))
    const session = await latest(tools).session('a')
    await session.search({ query: 'mcp_many__t7' })
    const json = JSON.parse(JSON.stringify(await session.snapshot()))
    const restored = await latest(tools).restore(json)
    const full = (await restored.turn()).tools.filter((tool) => tool.inputSchema === path)
    expect(full.map(({ name }) => name)).toEqual(['mcp_many__t7'])
  })

  it('shrinks a list of 19 ordinary tools by more than 40%', async () => {
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

  it('returns the golden scores', () => {
    expect(scores(latest(files), 'read file')).toEqual([
      ['read_file', 6],
      ['write_file', 3],
    ])
    expect(scores(latest(files), '"read_file"')).toEqual([['read_file', 103]])
    expect(scores(latest(files), 'file').map(([name]) => name)).toEqual(['read_file', 'write_file'])
  })
})
