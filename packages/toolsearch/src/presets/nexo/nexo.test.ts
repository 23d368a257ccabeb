import { describe, expect, it } from 'vitest'
import {
  claudeCodeWiki,
  createToolSearch,
  nexo,
  type ToolDefinition,
  type ToolSearch,
  type ToolSearchOptions,
} from '../../index.ts'
import { anthropic } from '../../providers/anthropic/anthropic.ts'

const schema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const goldenTools: readonly ToolDefinition[] = [
  { name: 'FileEdit', description: 'Edit a file' },
  { name: 'FileRead', description: 'Read a file' },
  { name: 'Glob', description: 'Match by glob' },
  { name: 'ToolA', description: 'this description mentions slack indirectly' },
  { name: 'ToolB', description: 'totally unrelated', searchHint: 'send a slack message' },
  { name: 'mcp__slack__send_message', description: 'Send a message to a Slack channel' },
  { name: 'mcp__slack__list_channels', description: 'List channels' },
  { name: 'mcp__email__send', description: 'Send email via slack bridge' },
].map((tool) => ({ ...tool, inputSchema: schema, loading: 'deferred' }))

const search = (tools: readonly ToolDefinition[], options: ToolSearchOptions = {}) =>
  createToolSearch({ tools, preset: nexo, ...options })
const golden = (options?: ToolSearchOptions) => search(goldenTools, options)

function scores(toolSearch: ToolSearch, query: string) {
  return toolSearch.search(query).hits.map(({ tool, score }) => [tool.name, score])
}

function deferred(names: readonly string[]): ToolDefinition[] {
  return names.map((name) => ({ name, description: `About ${name}`, loading: 'deferred' }))
}

describe('nexo: deferral and requests', () => {
  it('defers a built-in tool only if its definition says so', async () => {
    const tools = [...deferred(['Lsp']), { name: 'Bash' }]
    const session = await search(tools).session('a')
    const turn = await session.turn()
    expect(turn.tools.map(({ name }) => name)).toEqual(['ToolSearch', 'Bash'])
  })

  it('treats a plain definition as not deferred and without a hint', () => {
    const { catalogue } = search([{ name: 'Bash' }])
    expect(catalogue.get('Bash')).toMatchObject({ loading: 'auto' })
    expect(catalogue.get('Bash')).not.toHaveProperty('searchHint')
  })

  it('reads deferral and hint from the definition', async () => {
    const tools: ToolDefinition[] = [
      { name: 'Quiet', loading: 'deferred' },
      { name: 'Hinted', loading: 'deferred', searchHint: 'language server' },
    ]
    const session = await search(tools).session('a')
    const { outcome } = await session.search({ query: 'language' })
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(['Hinted'])
    expect(outcome.deferrable).toBe(2)
  })

  it('infers nothing from a name or an MCP source: deferral must be opted into', async () => {
    const tools: ToolDefinition[] = [
      { name: 'mcp__slack__send' },
      { name: 'list_issues', source: 'mcp:github' },
    ]
    const turn = await (await search(tools).session('a')).turn()
    expect(turn.tools.map(({ name }) => name)).toEqual(['mcp__slack__send', 'list_issues'])
  })

  it('defers the tools of all MCP servers, or of one server, if told to', async () => {
    const tools = [{ name: 'mcp__slack__send' }, { name: 'mcp__mail__send' }, { name: 'Bash' }]
    const hidden = async (deferral: ToolSearchOptions['deferral'] & object) =>
      (await (await search(tools, { deferral }).session('a')).turn()).deferred.map(
        ({ name }) => name,
      )
    expect(await hidden({ mcp: 'deferred' })).toEqual(['mcp__slack__send', 'mcp__mail__send'])
    expect(await hidden({ sources: { 'mcp:mail': 'deferred' } })).toEqual(['mcp__mail__send'])
  })

  it('sends its search tool and never finds it or a tool with the same name', async () => {
    const session = await search([...goldenTools, { name: 'ToolSearch' }]).session('a')
    const { tools } = await session.turn()
    expect(tools.map(({ name }) => name)).toEqual(['ToolSearch'])
    const { outcome } = await session.search({ query: 'select:ToolSearch' })
    expect(outcome.hits).toEqual([])
  })

  it('lists deferred tools in a tagged block, one per line', async () => {
    const tools = deferred(['b', 'a'])
    const session = await search(tools).session('a')
    expect((await session.turn()).system).toBe(
      '<deferred-tools>\n- a: About a\n- b: About b\n</deferred-tools>',
    )
  })

  it('truncates descriptions to 120 whole characters', async () => {
    const tools: ToolDefinition[] = [
      { name: 'full', description: '🚀'.repeat(120), loading: 'deferred' },
      { name: 'over', description: '🚀'.repeat(121), loading: 'deferred' },
    ]
    const session = await search(tools).session('a')
    const lines = (await session.turn()).system?.split('\n')
    expect(lines).toContain(`- full: ${'🚀'.repeat(120)}`)
    expect(lines).toContain(`- over: ${'🚀'.repeat(119)}…`)
  })

  it('sends no block and no search tool if nothing is deferred', async () => {
    const session = await search([{ name: 'Bash' }]).session('a')
    const turn = await session.turn()
    expect(turn.tools.map(({ name }) => name)).toEqual(['Bash'])
    expect(turn.system).toBeUndefined()
  })

  it('injects a matched tool into the next request, with its full schema', async () => {
    const session = await golden().session('a')
    await session.turn()
    await session.search({ query: 'select:Glob' })
    const turn = await session.turn()
    expect(turn.tools[1]).toEqual({
      name: 'Glob',
      description: 'Match by glob',
      inputSchema: schema,
    })
    expect(turn.tools).toHaveLength(2)
  })

  it('injects every match of a keyword search and keeps it for the session', async () => {
    const session = await golden().session('a')
    await session.search({ query: 'file edit' })
    await session.turn()
    await session.compacted()
    expect((await session.turn()).tools.map(({ name }) => name)).toEqual([
      'ToolSearch',
      'FileEdit',
      'FileRead',
    ])
  })

  it('declares a matched tool in the append mode of the Anthropic adapter', async () => {
    const session = await golden().session('a')
    const adapter = anthropic(session, { mode: 'append' })
    const declared = async () => {
      const { tools } = await adapter.request({ messages: [{ role: 'user', content: 'Hi' }] })
      return tools?.map((tool) => ('name' in tool ? tool.name : ''))
    }
    expect(await declared()).toEqual(['ToolSearch'])
    await session.search({ query: 'select:Glob' })
    expect(await declared()).toEqual(['ToolSearch', 'Glob'])
  })

  it('no longer lists a loaded tool, and still returns it from a search', async () => {
    const session = await golden().session('a')
    expect((await session.turn()).system).toContain('- Glob:')
    const first = await session.search({ query: 'glob' })
    expect((await session.turn()).system).not.toContain('- Glob:')
    expect((await session.search({ query: 'glob' })).answer.data).toEqual(first.answer.data)
  })

  it('sends no list, but still the search tool, once every deferred tool is loaded', async () => {
    const toolSearch = search(deferred(['a', 'b']))
    const session = await toolSearch.session('s')
    await session.turn()
    await session.search({ query: 'select:a,b' })
    const turn = await session.turn()
    const names = turn.tools.map(({ name }) => name)
    expect(names).toEqual(['ToolSearch', 'a', 'b'])
    expect(turn.system).toBeUndefined()
    toolSearch.catalogue.add([{ name: 'late', loading: 'deferred' }])
    expect((await session.turn()).tools.map(({ name }) => name)).toEqual(names)
  })

  it('runs a call to a deferred tool that no search has found', async () => {
    const session = await golden().session('a')
    await session.turn()
    expect(await session.answer({ name: 'Glob', arguments: { text: '*' } })).toMatchObject({
      kind: 'run',
    })
  })

  it('unlike nexo, answers invalid arguments with the schema', async () => {
    const session = await golden().session('a')
    const answer = await session.answer({ name: 'Glob', arguments: {} })
    expect(answer).toMatchObject({ isError: true, data: { inputSchema: schema } })
  })

  it('omits a removed tool from the list and the count', async () => {
    const toolSearch = search(deferred(['a', 'b']))
    const session = await toolSearch.session('s')
    await session.turn()
    toolSearch.catalogue.remove('a')
    expect((await session.turn()).system).not.toContain('- a')
    const { answer } = await session.search({ query: 'about' })
    expect(answer.data).toMatchObject({ total_deferred_tools: 1 })
  })
})

describe('nexo: queries', () => {
  it('selects trimmed names in query order without duplicates', () => {
    const outcome = golden().search('select: Glob ,, FileEdit,Glob,')
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(['Glob', 'FileEdit'])
  })

  it('selects names case-sensitively', () => {
    const outcome = golden().search('select:glob')
    expect(outcome.hits).toEqual([])
    expect(outcome.missing.map(({ name }) => name)).toEqual(['glob'])
  })

  it('accepts "SELECT:" and, unlike nexo, mixed case', () => {
    expect(golden().search('SELECT:Glob').form).toBe('select')
    expect(golden().search('Select:Glob').form).toBe('select')
  })

  it('selects tools that are not deferred', async () => {
    const tools = [...deferred(['Lsp']), { name: 'Bash' }]
    const session = await search(tools).session('a')
    const { answer } = await session.search({ query: 'select:Bash' })
    expect(answer.data).toMatchObject({ matches: [{ name: 'Bash' }], missing: [] })
  })

  it('does not apply max_results to select', async () => {
    const session = await golden().session('a')
    const { outcome } = await session.search({
      query: 'select:FileEdit,FileRead,Glob',
      max_results: 1,
    })
    expect(outcome.hits).toHaveLength(3)
  })

  it('returns every selected tool, however many names the query contains', async () => {
    const names = Array.from({ length: 500 }, (_, i) => `server_tool_${i}`)
    const session = await search(deferred(names)).session('a')
    const { outcome, answer } = await session.search({ query: `select:${names.join(',')},nope` })
    expect(outcome.omitted.count).toBe(0)
    expect(session.loaded).toEqual(names)
    expect(answer.data).toMatchObject({ matches: { length: 500 }, missing: ['nope'] })
  })

  it('drops tools that lack a required word in name, description and hint', () => {
    expect(scores(golden(), '+slack +channel')).toEqual([
      ['mcp__slack__list_channels', 20],
      ['mcp__slack__send_message', 16],
    ])
  })

  it.each(['+', ' + + '])('rejects %j, which has no words', async (query) => {
    const session = await golden().session('a')
    expect((await session.search({ query })).answer.isError).toBe(true)
  })

  it('ignores a lone "+" between words', () => {
    expect(scores(golden(), '+ glob')).toEqual([['Glob', 12]])
  })

  it('splits words at any whitespace and ignores case', () => {
    expect(scores(golden(), 'FILE\t edit\n')).toEqual(scores(golden(), 'file edit'))
    expect(scores(golden(), 'glob, match')).toEqual([['Glob', 2]])
  })
})

describe('nexo: name parts and scores', () => {
  it.each([
    ['FileEdit', ['file', 'edit']],
    ['send_user_file', ['send', 'user', 'file']],
    ['whatsapp.send', ['whatsapp', 'send']],
    ['HTTPServer', ['httpserver']],
    ['getURLFor', ['get', 'urlfor']],
    ['my-srv', ['my-srv']],
  ])('scores ten points for each name part of %s: %j', (name, parts) => {
    const toolSearch = search([{ name }])
    for (const part of parts) expect(scores(toolSearch, part)).toEqual([[name, 10]])
  })

  it('splits an MCP name into its parts, without the prefix that all of them have', () => {
    const name = 'mcp__slack__send_message'
    const toolSearch = search([{ name }])
    for (const part of ['slack', 'send', 'message']) {
      expect(scores(toolSearch, part)).toEqual([[name, 12]])
    }
    for (const part of ['mcp', 'p']) expect(scores(toolSearch, part)).toEqual([])
  })

  it('gives a part of an MCP name six points', () => {
    expect(scores(search([{ name: 'mcp__slack__send' }]), 'sla')).toEqual([['mcp__slack__send', 6]])
  })

  it('scores required words as well', () => {
    expect(scores(golden(), '+glob')).toEqual([['Glob', 12]])
  })

  it.each([
    ['a name part', 'lint', 10],
    ['a part of a name part', 'lin', 5],
    ['the hint', 'language', 4],
    ['the description', 'errors', 2],
    ['hint and description together', 'code', 6],
    ['name, hint and description together', 'server', 16],
  ])('scores %s', (_, query, points) => {
    const tool = {
      name: 'LintServer',
      searchHint: 'language server for code',
      description: 'Finds errors in code by a server',
    }
    expect(scores(search([tool]), query)).toEqual([['LintServer', points]])
  })

  it('drops tools without a score and sorts ties by name', () => {
    const toolSearch = search(deferred(['b_x', 'c', 'a_x']))
    expect(scores(toolSearch, 'x')).toEqual([
      ['a_x', 12],
      ['b_x', 12],
    ])
  })

  it('returns five results by default, at most 25 and at least one', async () => {
    const names = Array.from({ length: 30 }, (_, i) => `x_${i}`)
    const session = await search(deferred(names)).session('a')
    const count = async (max_results?: unknown) =>
      (await session.search({ query: 'x', max_results })).outcome.hits.length
    expect(await count()).toBe(5)
    expect(await count(100)).toBe(25)
    expect(await count(0)).toBe(1)
  })

  it.each([2.5, -1, 'many'])('uses the default of five for %j', async (max_results) => {
    const names = Array.from({ length: 10 }, (_, i) => `x_${i}`)
    const session = await search(deferred(names)).session('a')
    const { outcome } = await session.search({ query: 'x', max_results })
    expect(outcome.hits).toHaveLength(5)
  })

  it('declares max_results as an integer from 1 to 25', () => {
    expect(nexo.searchTool.inputSchema.properties).toMatchObject({
      query: { type: 'string' },
      max_results: { type: 'integer', minimum: 1, maximum: 25 },
    })
  })

  it('unlike nexo (000.27), accepts a limit sent as a string', async () => {
    const session = await search(deferred(['x_1', 'x_2', 'x_3'])).session('a')
    const { outcome } = await session.search({ query: 'x', max_results: '2' })
    expect(outcome.hits).toHaveLength(2)
  })

  it('unlike nexo (000.20), ignores case outside ASCII', () => {
    expect(scores(search([{ name: 'über_uns' }]), 'ÜBER')).toEqual([['über_uns', 10]])
  })

  it('ignores which form of a sigma a word has', () => {
    const tools = [{ name: 'ΣΑΣ.Über', description: 'ΟΔΟΣ' }]
    expect(scores(search(tools), 'ΣΑΣ')).toEqual([['ΣΑΣ.Über', 10]])
    expect(scores(search(tools), 'οδος')).toEqual([['ΣΑΣ.Über', 2]])
  })

  it('ranks a match in the hint above one in the description', () => {
    const names = scores(golden(), 'slack').map(([name]) => name)
    expect(names.indexOf('ToolB')).toBeLessThan(names.indexOf('ToolA'))
  })

  it('matches a server name as an exact name part', () => {
    const { hits } = golden().search('slack', { explain: true })
    expect(hits[0]!.tool.name).toBe('mcp__slack__send_message')
    expect(hits[0]!.parts).toContainEqual({
      term: 'slack',
      field: 'name',
      match: 'exact',
      weight: 12,
    })
  })

  it('gives no MCP points to names with a single underscore after "mcp"', () => {
    expect(scores(search([{ name: 'mcp_docs__search' }]), 'search')).toEqual([
      ['mcp_docs__search', 10],
    ])
  })

  it('unlike nexo (000.30), recognises an MCP tool by its source', () => {
    const tools: ToolDefinition[] = [{ name: 'post', source: 'mcp:slack' }]
    expect(scores(search(tools), 'post')).toEqual([['post', 12]])
  })

  it.each([
    ['file edit', { FileEdit: 24, FileRead: 12 }],
    [
      'slack',
      {
        mcp__slack__send_message: 14,
        mcp__slack__list_channels: 12,
        ToolB: 4,
        ToolA: 2,
        mcp__email__send: 2,
      },
    ],
    [
      '+slack send',
      {
        mcp__slack__send_message: 28,
        mcp__email__send: 16,
        mcp__slack__list_channels: 12,
        ToolB: 8,
        ToolA: 2,
      },
    ],
    ['+glob match', { Glob: 14 }],
    ['send', { mcp__email__send: 14, mcp__slack__send_message: 14, ToolB: 4 }],
    ['chan', { mcp__slack__list_channels: 8, mcp__slack__send_message: 2 }],
  ])('returns the golden scores for %j', (query, expected) => {
    expect(scores(golden(), query)).toEqual(Object.entries(expected))
  })

  it('finds only the two Slack tools if +word matches names only', () => {
    const toolSearch = golden({ preset: { ...nexo, finders: claudeCodeWiki.finders } })
    expect(scores(toolSearch, '+slack send').map(([name]) => name)).toEqual([
      'mcp__slack__send_message',
      'mcp__slack__list_channels',
    ])
  })
})

describe('nexo: answers', () => {
  it('answers a keyword query with scores and full schemas', async () => {
    const session = await golden().session('a')
    const { answer } = await session.search({ query: '+glob match' })
    expect(answer.data).toEqual({
      query: '+glob match',
      query_kind: 'keyword',
      total_deferred_tools: 8,
      matches: [{ name: 'Glob', score: 14, description: 'Match by glob', parameters: schema }],
    })
    expect(JSON.parse(answer.text)).toEqual(answer.data)
  })

  it('answers select without scores and lists missing names', async () => {
    const session = await golden().session('a')
    const { answer } = await session.search({ query: 'select:Glob,Nope' })
    expect(answer.data).toEqual({
      query: 'select:Glob,Nope',
      query_kind: 'select',
      total_deferred_tools: 8,
      matches: [{ name: 'Glob', description: 'Match by glob', parameters: schema }],
      missing: ['Nope'],
    })
  })

  it('searches keywords in deferred tools only', async () => {
    const tools = [...deferred(['x_deferred']), { name: 'x_eager' }]
    const session = await search(tools).session('a')
    const { outcome } = await session.search({ query: 'x' })
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(['x_deferred'])
  })

  it('returns an empty result if no tool is deferred', async () => {
    const session = await search([{ name: 'x' }]).session('a')
    const { answer } = await session.search({ query: 'x' })
    expect(answer).toMatchObject({
      isError: false,
      data: { total_deferred_tools: 0, matches: [] },
    })
  })

  it.each([{}, { query: 7 }, { query: null }, undefined])(
    'rejects %j, which has no query',
    async (input) => {
      const session = await golden().session('a')
      expect((await session.search(input)).answer.isError).toBe(true)
    },
  )

  it('explains that the query cannot be empty', async () => {
    const session = await golden().session('a')
    const { answer } = await session.search({ query: '  ' })
    expect(answer.isError).toBe(true)
    expect(answer.text).toContain('cannot be empty')
  })

  it('has no rate limit by default', async () => {
    const session = await golden().session('a')
    for (let i = 0; i < 50; i++) {
      expect((await session.search({ query: 'slack' })).answer.isError).toBe(false)
    }
  })

  it('can reject the sixth search of a session within a minute, naming session and limit', async () => {
    let now = 0
    const rateLimit = { calls: 5, windowMs: 60_000 }
    const toolSearch = golden({ rateLimit, now: () => now })
    const session = await toolSearch.session('agent-7')
    for (let i = 0; i < 5; i++) {
      now = i * 1000
      expect((await session.search({ query: 'slack' })).answer.isError).toBe(false)
    }
    now = 59_999
    const refused = (await session.search({ query: 'slack' })).answer
    expect(refused.isError).toBe(true)
    expect(refused.text).toMatch(/agent-7.*\b5\b/)
    const other = await toolSearch.session('agent-8')
    expect((await other.search({ query: 'slack' })).answer.isError).toBe(false)
    now = 60_000
    expect((await session.search({ query: 'slack' })).answer.isError).toBe(false)
    expect((await session.search({ query: 'slack' })).answer.isError).toBe(true)
  })

  it('rejects the third search with a limit of two, not counting blank queries', async () => {
    const session = await golden({ rateLimit: { calls: 2, windowMs: 60_000 } }).session('a')
    const isError = async (query: string) => (await session.search({ query })).answer.isError
    expect(await isError('')).toBe(true)
    const refusals = [await isError('a'), await isError('b'), await isError('c')]
    expect(refusals).toEqual([false, false, true])
  })

  it('treats a limit of 0 as no limit', async () => {
    const session = await golden({ rateLimit: { calls: 0, windowMs: 60_000 } }).session('a')
    for (let i = 0; i < 50; i++) {
      expect((await session.search({ query: 'slack' })).answer.isError).toBe(false)
    }
  })

  it('never shows or counts a tool the caller may not use', async () => {
    const session = await golden().session('a', { visible: ['Glob', 'ToolA'] })
    const { answer } = await session.search({ query: 'slack' })
    expect(answer.data).toMatchObject({ total_deferred_tools: 2, matches: [{ name: 'ToolA' }] })
    const selected = await session.search({ query: 'select:ToolB' })
    expect(selected.answer.data).toMatchObject({ matches: [], missing: ['ToolB'] })
  })
})
