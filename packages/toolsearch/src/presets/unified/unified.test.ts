import { describe, expect, it } from 'vitest'
import {
  createToolSearch,
  type ToolDefinition,
  type ToolSearchOptions,
  type Turn,
} from '../../index.ts'

const inputSchema = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] }
const tools: ToolDefinition[] = [
  { name: 'read_file', description: 'Read a file from disk', inputSchema },
  { name: 'read_file_lines', description: 'Read some lines, like read_file', inputSchema },
  { name: 'write_file', description: 'Put text in a file', inputSchema },
  { name: 'mcp__github__open_issue', description: 'Open an issue in a repository' },
  { name: 'mcp__github__list_issues', description: 'List the issues of a repository' },
  { name: 'mcp__slack__post', description: 'Post a message', searchHint: 'chat with colleagues' },
]

const unifiedSearch = (options: ToolSearchOptions = {}) =>
  createToolSearch({ tools, activation: 'always', ...options })
const sentNames = (turn: Turn) => turn.tools.map(({ name }) => name)
const foundNames = (query: string, options?: ToolSearchOptions) =>
  unifiedSearch(options)
    .search(query)
    .hits.map(({ tool }) => tool.name)

/** Tools that match the same query equally well. */
function alike(count: number): ToolDefinition[] {
  return Array.from({ length: count }, (_, i) => ({
    name: `deploy_${String(i).padStart(2, '0')}`,
    description: 'Deploy a service',
  }))
}

describe('unified: requests', () => {
  it('is the default', () => {
    expect(createToolSearch().preset.preset).toBe('unified')
  })

  it('defers from 15 deferrable tools on and sends all tools below that', async () => {
    const eager: ToolDefinition = { name: 'bash', loading: 'eager' }
    const turn = async (count: number) =>
      (await createToolSearch({ tools: [...alike(count), eager] }).session('a')).turn()
    expect(sentNames(await turn(14))).toEqual([...alike(14).map(({ name }) => name), 'bash'])
    expect(sentNames(await turn(15))).toEqual(['tool_search', 'bash'])
  })

  it('defers fewer tools if their definitions fill 10% of the context window', async () => {
    const hidden = async (contextWindow: number) => {
      const options = { tools: alike(2), contextWindow, countTokens: () => 100 }
      return (await (await createToolSearch(options).session('a')).turn()).hidden
    }
    expect(await hidden(2_001)).toBe(0)
    expect(await hidden(2_000)).toBe(2)
  })

  it('lists only names, in a block that does not change when tools are loaded', async () => {
    const session = await unifiedSearch().session('a')
    const first = await session.turn()
    expect(first.system).toContain('- mcp__slack__post\n- read_file\n')
    expect(first.system).not.toContain('Read a file')
    await session.search({ query: 'select:write_file' })
    const second = await session.turn()
    expect(second.system).toBe(first.system)
    expect(sentNames(second)).toEqual(['tool_search', 'write_file'])
  })

  it('keeps loaded tools when the history is compacted', async () => {
    const session = await unifiedSearch().session('a')
    await session.search({ query: 'select:write_file' })
    await session.compacted()
    expect(sentNames(await session.turn())).toEqual(['tool_search', 'write_file'])
  })

  it('answers a call to an unloaded tool with its schema and loads it', async () => {
    const session = await unifiedSearch().session('a')
    await session.turn()
    const call = { name: 'read_file', arguments: { path: '/' } }
    expect(await session.answer(call)).toMatchObject({ isError: true, data: { inputSchema } })
    expect(await session.answer(call)).toMatchObject({ kind: 'run' })
  })
})

describe('unified: limits', () => {
  it.each(['max_results', 'top_k'])(
    'accepts %s from 1 to 25 and defaults to five',
    async (name) => {
      const session = await unifiedSearch({ tools: alike(40) }).session('a')
      const count = async (limit?: unknown) =>
        (await session.search({ query: 'deploy service', [name]: limit })).outcome.hits.length
      expect(await count()).toBe(5)
      expect(await count(7)).toBe(7)
      expect(await count(99)).toBe(25)
      expect(await count(0)).toBe(1)
      expect(await count('lots')).toBe(5)
    },
  )

  it('limits select by its own cap, not by max_results', async () => {
    const names = alike(51).map((tool) => tool.name)
    const session = await unifiedSearch({ tools: alike(51) }).session('a')
    const query = `select:${names.join(',')}`
    const { outcome, answer } = await session.search({ query, max_results: 3 })
    expect(outcome.hits).toHaveLength(50)
    expect(answer.text).toContain('1 name ignored: too many names in one select')
  })

  it('drops hits far below the best score, so that a vague query does not load everything', () => {
    const calendarTools = [
      { name: 'calendar_create', description: 'Create a calendar event' },
      { name: 'audit_log', description: 'Records every event' },
      { name: 'weather', description: 'Tells the weather' },
    ]
    const query = 'create calendar event'
    expect(foundNames(query, { tools: calendarTools })).toEqual(['calendar_create'])
    expect(foundNames(query, { tools: calendarTools, selection: { band: 0 } })).toEqual([
      'calendar_create',
      'audit_log',
    ])
  })

  it('returns always-on tools without counting them towards the limit', async () => {
    const eager = alike(2).map((tool): ToolDefinition => ({ ...tool, loading: 'eager' }))
    const session = await unifiedSearch({ tools: [...eager, ...alike(9).slice(2)] }).session('a')
    const { outcome } = await session.search({ query: 'deploy service', max_results: 3 })
    expect(outcome.hits.map(({ status }) => status)).toEqual([
      'always-on',
      'always-on',
      'loaded',
      'loaded',
      'loaded',
    ])
  })
})

describe('unified: queries', () => {
  it.each(['', ' ', '+', 'select:'])(
    'answers the blank query %j with what to do instead',
    async (query) => {
      const { answer } = await (await unifiedSearch().session('a')).search({ query })
      expect(answer.isError).toBe(true)
      expect(answer.text).toContain('Describe in a few words')
    },
  )

  it('matches a required word in name, description and hint', () => {
    expect(foundNames('+slack post')).toEqual(['mcp__slack__post'])
    expect(foundNames('+disk read')).toEqual(['read_file'])
    expect(foundNames('+colleagues post')).toEqual(['mcp__slack__post'])
  })

  it.each(['read_file', '"read_file"', '`read_file`'])('finds the tool named %s', (query) => {
    const outcome = unifiedSearch().search(query)
    expect(outcome.form).toBe('name')
    expect(outcome.hits[0]!.tool.name).toBe('read_file')
  })

  it('treats a query with a double underscore as a name prefix', () => {
    const outcome = unifiedSearch().search('mcp__github')
    expect(outcome.form).toBe('prefix')
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual([
      'mcp__github__list_issues',
      'mcp__github__open_issue',
    ])
    expect(unifiedSearch().search('read_').form).toBe('words')
  })

  it('finds tools with a sentence and sorts ties by name', () => {
    expect(foundNames('please open a new issue for me')[0]).toBe('mcp__github__open_issue')
    expect(foundNames('deploy', { tools: alike(4).reverse() })).toEqual(
      alike(4).map(({ name }) => name),
    )
  })
})

describe('unified: answers', () => {
  it('describes each loaded tool in one line', async () => {
    const { answer } = await (await unifiedSearch().session('a')).search({ query: 'write_file' })
    expect(answer.data).toEqual({
      query: 'write_file',
      loaded: [
        { name: 'write_file', description: 'Put text in a file', arguments: '{path: string}' },
      ],
      message: expect.stringContaining('1 tool loaded'),
    })
  })

  it('reports already loaded and always-on tools as such, never as missing', async () => {
    const bash: ToolDefinition = { name: 'bash', loading: 'eager' }
    const session = await unifiedSearch({ tools: [...tools, bash] }).session('a')
    await session.search({ query: 'select:read_file' })
    const { answer } = await session.search({ query: 'select:read_file,bash,write_file' })
    expect(answer.data).toMatchObject({
      loaded: [{ name: 'write_file' }],
      already_loaded: ['read_file'],
      always_available: ['bash'],
    })
    expect(answer.data).not.toHaveProperty('missing')
  })

  it('suggests up to three similar names for an unknown name', async () => {
    const session = await unifiedSearch({ tools: alike(9) }).session('a')
    const { answer } = await session.search({ query: 'select:deploy_99' })
    expect(answer.data).toMatchObject({
      missing: [{ name: 'deploy_99', closest: expect.objectContaining({ length: 3 }) }],
    })
  })

  it('lists some names if nothing matches', async () => {
    const session = await unifiedSearch({ tools: alike(9) }).session('a')
    const { outcome, answer } = await session.search({ query: 'quixotic zephyr' })
    expect(outcome.hits).toEqual([])
    expect(answer.text).toMatch(/deploy_\d\d/)
  })

  it('lists connecting and failed servers if nothing matches', async () => {
    const toolSearch = unifiedSearch()
    toolSearch.sources.set({ source: 'mcp:jira', state: 'failed', detail: 'timed out' })
    toolSearch.sources.set({ source: 'mcp:zoom', state: 'connecting' })
    const session = await toolSearch.session('a')
    const { answer } = await session.search({ query: 'quixotic zephyr' })
    expect(answer.data).toMatchObject({
      not_ready: [
        { server: 'jira', state: 'failed', detail: 'timed out' },
        { server: 'zoom', state: 'connecting' },
      ],
    })
  })

  it('handles a search and a call in the same reply, and two concurrent searches', async () => {
    const session = await unifiedSearch().session('a')
    await session.turn()
    const search = (query: string) => ({ name: 'tool_search', arguments: { query } })
    await session.answer(search('select:read_file'))
    expect(await session.answer({ name: 'read_file', arguments: { path: '/' } })).toMatchObject({
      kind: 'run',
    })
    await Promise.all([
      session.answer(search('select:write_file')),
      session.answer(search('select:mcp__slack__post')),
    ])
    expect(session.loaded).toEqual(['read_file', 'write_file', 'mcp__slack__post'])
  })
})
