import { describe, expect, it } from 'vitest'
import {
  claudeCode,
  claudeCodeWiki,
  createToolSearch,
  parseActivation,
  type ToolDefinition,
  type Turn,
} from '../../index.ts'

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] }
const builtins: ToolDefinition[] = [
  { name: 'Read', description: 'Reads a file from disk', inputSchema: text },
  { name: 'Edit', description: 'Changes a file in place', inputSchema: text },
]
const slack: ToolDefinition[] = [
  { name: 'mcp__slack__send', description: 'Sends a message', inputSchema: text },
  { name: 'mcp__slack__list', description: 'Lists channels', inputSchema: text },
]
const email: ToolDefinition = {
  name: 'mcp__email__send',
  description: 'Sends email and tells slack',
  inputSchema: text,
}

const sentNames = (turn: Turn) => turn.tools.map(({ name }) => name)

function manyTools(count: number): ToolDefinition[] {
  const property = (name: string) => ({ type: 'string', description: `What the ${name} should be` })
  const words = ['title', 'body', 'labels', 'assignee', 'milestone', 'state', 'branch', 'page']
  const properties = Object.fromEntries(words.map((word) => [word, property(word)]))
  return Array.from({ length: count }, (_, i) => ({
    name: `mcp__hub__action_${i}`,
    description: `Does thing ${i}`,
    inputSchema: { type: 'object', properties },
  }))
}

describe('claudeCodeWiki', () => {
  // the wiki measures the conversation so far as a share of the context window
  const full = { usedTokens: 20_000 }
  const wiki = (tools: ToolDefinition[]) =>
    createToolSearch({ tools, preset: claudeCodeWiki, contextWindow: 200_000 })

  it('lists each tool in one line and returns schemas on demand', async () => {
    const session = await wiki(slack).session('a')
    const turn = await session.turn(full)
    expect(sentNames(turn)).toEqual(['ToolSearch'])
    expect(turn.system).toContain(
      '- mcp__slack__list: Lists channels\n- mcp__slack__send: Sends a message',
    )
    const { answer } = await session.search({ query: 'channels' })
    expect(answer.data).toMatchObject({
      loaded: [{ name: 'mcp__slack__list', inputSchema: text }],
    })
  })

  it('saves most of the tokens, and more with more tools', async () => {
    const saved = async (count: number) => {
      const session = await wiki(manyTools(count)).session('a')
      return session.report(await session.turn(full)).savedShare
    }
    expect(await saved(120)).toBeGreaterThan(await saved(40))
    expect(await saved(120)).toBeGreaterThan(0.85)
  })

  it('sends all tools until the conversation fills 10% of the context window', async () => {
    const session = await wiki([...builtins, ...slack]).session('a')
    const before = await session.turn({ usedTokens: 19_999 })
    expect(before.tools).toEqual([...builtins, ...slack])
    expect(before.system).toBeUndefined()
    expect((await session.turn(full)).hidden).toBe(4)
  })

  it('stays active and keeps tools that were used before activation', async () => {
    const session = await wiki([...builtins, ...slack]).session('a')
    await session.turn()
    await session.answer({ name: 'Edit', arguments: { text: 'x' } })
    await session.turn(full)
    expect(sentNames(await session.turn({ usedTokens: 0 }))).toEqual(['ToolSearch', 'Edit'])
  })

  it('finds tools with a natural-language query', () => {
    const { hits } = wiki([...builtins, ...slack]).search('Please send my team a message today')
    expect(hits[0]!.tool.name).toBe('mcp__slack__send')
  })

  it('weighs rare words more than common ones', () => {
    const tools = ['file one', 'file two', 'file three', 'zip four'].map((description, i) => ({
      name: `t${'abcd'[i]}`,
      description,
    }))
    expect(wiki(tools).search('file zip').hits[0]!.tool.description).toBe('zip four')
  })

  it('weighs a word more in a short text', () => {
    const tools = [
      { name: 'a', description: 'issue with many more words around it than needed' },
      { name: 'b', description: 'issue' },
    ]
    const names = wiki(tools)
      .search('issue')
      .hits.map(({ tool }) => tool.name)
    expect(names).toEqual(['b', 'a'])
  })

  it('counts repeated words with diminishing weight (k1 = 1.2)', () => {
    const tools = [
      { name: 'x', description: 'issue issue' },
      { name: 'y', description: 'issue comment' },
      { name: 'z', description: 'comment comment' },
    ]
    const { hits } = wiki(tools).search('issue comment')
    const [y, x] = hits
    expect(hits.map(({ tool }) => tool.name)).toEqual(['y', 'x', 'z'])
    expect(y!.score! / x!.score!).toBeCloseTo(2 / 2.2 / (2 / 3.2), 6)
  })

  it('selects tools by name in query order', () => {
    const { hits } = wiki([...builtins, ...slack]).search('select:mcp__slack__send,Read')
    expect(hits.map(({ tool }) => tool.name)).toEqual(['mcp__slack__send', 'Read'])
  })

  it('loads every tool of a select, however many names it contains', async () => {
    const tools = manyTools(400)
    const names = tools.map(({ name }) => name)
    const session = await wiki(tools).session('a')
    await session.search({ query: `select:${names.join(',')}` })
    expect(session.loaded).toEqual(names)
  })

  it('requires a +word in the name, regardless of the description', () => {
    const { hits } = wiki([...slack, email]).search('+slack send')
    expect(hits.map(({ tool }) => tool.name)).toEqual(['mcp__slack__send', 'mcp__slack__list'])
  })

  it('treats a name or name prefix like any other keyword', () => {
    const toolSearch = wiki([...slack, email])
    expect(toolSearch.search('mcp__slack__send').form).toBe('words')
    expect(toolSearch.search('mcp__slack').form).toBe('words')
  })

  it('indexes server, plugin and built-in tools together', async () => {
    const tools: ToolDefinition[] = [
      { name: 'Format', description: 'Formats code' },
      { name: 'mcp__ci__format', description: 'Formats code' },
      { name: 'Prettify', description: 'Formats code', source: 'plugin:style' },
    ]
    const session = await wiki(tools).session('a')
    await session.turn(full)
    const { outcome } = await session.search({ query: 'formats' })
    expect(outcome.hits.map(({ status }) => status)).toEqual(['loaded', 'loaded', 'loaded'])
  })

  it('keeps the request prefix when tools are loaded', async () => {
    const session = await wiki([...slack, ...builtins]).session('a')
    const first = await session.turn(full)
    await session.search({ query: 'select:Edit' })
    await session.search({ query: 'select:mcp__slack__list' })
    const second = await session.turn(full)
    expect(sentNames(second)).toEqual(['ToolSearch', 'Edit', 'mcp__slack__list'])
    expect(second.tools.slice(0, first.tools.length)).toEqual(first.tools)
    expect(second.system).toBe(first.system)
    expect(second).not.toHaveProperty('notice')
  })

  it('keeps loaded tools when the history is compacted', async () => {
    const session = await wiki(slack).session('a')
    await session.turn(full)
    await session.search({ query: 'select:mcp__slack__send' })
    await session.compacted()
    expect(session.loaded).toEqual(['mcp__slack__send'])
  })

  it('returns five results or the requested number, and none for a blank query', async () => {
    const session = await wiki(manyTools(40)).session('a')
    const count = async (input: object) => (await session.search(input)).outcome.hits.length
    expect(await count({ query: 'thing' })).toBe(5)
    expect(await count({ query: 'thing', max_results: 30 })).toBe(30)
    const { outcome, answer } = await session.search({ query: ' ' })
    expect(outcome.hits).toEqual([])
    expect(answer.isError).toBe(false)
  })
})

describe('claudeCode', () => {
  const code = (tools: ToolDefinition[]) => createToolSearch({ tools, preset: claudeCode })

  it('defers all deferrable tools when their definitions fill 10% of the window', async () => {
    const turn = async (tools: ToolDefinition[]) => {
      const session = await createToolSearch({
        tools: [...builtins, ...tools],
        preset: claudeCode,
        activation: 'auto',
        contextWindow: 2_000,
        countTokens: () => 100,
      }).session('a')
      return session.turn()
    }
    expect((await turn(slack.slice(1))).hidden).toBe(0)
    expect(sentNames(await turn(slack))).toEqual(['ToolSearch', 'Read', 'Edit'])
  })

  it.each([
    ['', 'always'],
    ['true', 'always'],
    ['auto', 'auto'],
    ['auto:0', 'auto:0'],
    ['auto:100', 'auto:100'],
    ['false', 'never'],
  ])('parses the setting %j as %j', (setting, activation) => {
    expect(parseActivation(setting)).toBe(activation)
  })

  it.each(['auto:101', 'auto:-1', 'sometimes'])('rejects the setting %j', (setting) => {
    expect(() => parseActivation(setting)).toThrow(
      expect.objectContaining({ code: 'invalid_activation' }),
    )
  })

  it('defers from the start, but never with the setting "false"', async () => {
    const on = await code([...builtins, ...slack]).session('a')
    expect((await on.turn()).hidden).toBe(2)
    const tools = [...builtins, ...slack]
    const off = await createToolSearch({ tools, preset: claudeCode, activation: 'never' }).session(
      'a',
    )
    expect((await off.turn()).tools).toEqual(tools)
  })

  it('loads five tools by reference and unloads them on compaction', async () => {
    const session = await code(manyTools(9)).session('a')
    await session.turn()
    const { answer } = await session.search({ query: 'thing' })
    const names = [0, 1, 2, 3, 4].map((i) => `mcp__hub__action_${i}`)
    expect(answer.data).toEqual(names.map((tool_name) => ({ type: 'tool_reference', tool_name })))
    expect(sentNames(await session.turn())).toEqual(['ToolSearch', ...names])
    await session.compacted()
    expect(sentNames(await session.turn())).toEqual(['ToolSearch'])
  })

  it('lists names and hints, but no descriptions', async () => {
    const tools = [slack[0]!, { ...slack[1]!, _meta: { 'anthropic/searchHint': 'rooms' } }]
    const { system } = await (await code(tools).session('a')).turn()
    expect(system?.split('\n').slice(1)).toEqual([
      '- mcp__slack__list: rooms',
      '- mcp__slack__send',
    ])
  })

  it('can send a tool or a whole server without deferral', async () => {
    const session = await createToolSearch({
      tools: [{ ...slack[0]!, _meta: { 'anthropic/alwaysLoad': true } }, slack[1]!, email],
      preset: claudeCode,
      deferral: { sources: { 'mcp:email': 'eager' } },
    }).session('a')
    expect(sentNames(await session.turn())).toEqual([
      'ToolSearch',
      'mcp__slack__send',
      'mcp__email__send',
    ])
  })

  it('defers nothing if the search tool is not allowed', async () => {
    const session = await code([...builtins, ...slack]).session('a')
    const turn = await session.turn({ canSearch: false })
    expect(turn.tools).toEqual([...builtins, ...slack])
    expect(turn.system).toBeUndefined()
  })

  it('reports a failed server and its error if there are no hits', async () => {
    const toolSearch = code(slack)
    toolSearch.sources.set({ source: 'mcp:jira', state: 'failed', detail: 'connection refused' })
    const session = await toolSearch.session('a')
    const { answer } = await session.search({ query: 'ticket' })
    expect(answer.data).toMatchObject({
      not_ready: [{ server: 'jira', state: 'failed', detail: 'connection refused' }],
    })
  })

  // Fixed in Claude Code 2.1.122, 2.1.224 and 2.1.228.
  it('appends a notice about tools of a late server once, without changing the prefix', async () => {
    const toolSearch = code([...slack])
    const session = await toolSearch.session('a')
    const first = await session.turn()
    toolSearch.catalogue.add(email)
    const second = await session.turn()
    expect(second.notice).toContain('- mcp__email__send')
    expect({ ...second, notice: undefined, hidden: 0, deferred: [] }).toEqual({
      ...first,
      hidden: 0,
      deferred: [],
    })
    expect(await session.turn()).not.toHaveProperty('notice')
    const { outcome } = await session.search({ query: 'email' })
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(['mcp__email__send'])
  })

  it('appends a notice about removed tools', async () => {
    const toolSearch = code([...slack, email])
    const session = await toolSearch.session('a')
    const { system } = await session.turn()
    toolSearch.catalogue.removeSource('mcp:email')
    const turn = await session.turn()
    expect(turn.system).toBe(system)
    expect(turn.notice).toContain('- mcp__email__send')
  })

  it.each([claudeCode, claudeCodeWiki])(
    'answers a call to an unloaded tool with its schema ($preset)',
    async (preset) => {
      const options = { tools: slack, preset, activation: 'always' } as const
      const session = await createToolSearch(options).session('a')
      await session.turn()
      const call = { name: 'mcp__slack__send', arguments: { text: 'hi' } }
      expect(await session.answer(call)).toMatchObject({
        isError: true,
        data: { inputSchema: text },
      })
      expect(await session.answer(call)).toMatchObject({ kind: 'run' })
    },
  )

  // Fixed in Claude Code 2.1.76.
  it('unloads tools and schemas together, so that no call uses guessed arguments', async () => {
    const session = await code(slack).session('a')
    await session.turn()
    await session.search({ query: 'select:mcp__slack__send' })
    await session.compacted()
    await session.turn()
    const answer = await session.answer({ name: 'mcp__slack__send', arguments: { text: 'hi' } })
    expect(answer).toMatchObject({ isError: true, data: { inputSchema: text } })
  })

  // Fixed in Claude Code 2.1.84.
  it('never defers core tools', async () => {
    const turn = await (await code([...builtins, ...slack]).session('a')).turn()
    expect(turn.tools.slice(1)).toEqual(builtins)
  })

  // Fixed in Claude Code 2.1.90.
  it('sends the same request after a restore', async () => {
    const toolSearch = code([...builtins, ...slack])
    const session = await toolSearch.session('a')
    await session.turn()
    await session.search({ query: 'select:mcp__slack__send' })
    const turn = await session.turn()
    const json = JSON.parse(JSON.stringify(await session.snapshot()))
    const restored = await code([...builtins, ...slack]).restore(json)
    // the first turn after the search lists one tool more than the one before
    expect(await restored.turn()).toEqual({ ...turn, isListExtended: false })
  })

  // Fixed in Claude Code 2.1.113.
  it('ranks an exact name above tools whose descriptions contain its words', async () => {
    const sibling = { name: 'mcp__slack__send_all', description: 'Like mcp__slack__send for slack' }
    const { hits } = code([sibling, ...slack]).search('mcp__slack__send')
    expect(hits.map(({ tool }) => tool.name)).toEqual(['mcp__slack__send'])
  })

  // Fixed in Claude Code 2.1.126.
  it('gives a subagent the list and the search tool on its first turn', async () => {
    const session = await code(slack).session('a')
    const { system } = await session.turn()
    const child = await session.fork('b')
    expect((await child.turn()).system).toBe(system)
    const { outcome } = await child.search({ query: 'channels' })
    expect(outcome.hits.map(({ status }) => status)).toEqual(['loaded'])
    expect(session.loaded).toEqual([])
  })

  // the API rejects a reference to a tool without defer_loading with status 400
  it('returns no references to tools that are not deferred', async () => {
    const session = await code([...builtins, ...slack]).session('a')
    await session.turn()
    const { answer } = await session.search({ query: 'select:Read,mcp__slack__send' })
    expect(answer.text).not.toContain('"tool_name":"Read"')
  })

  it('requires a +word in the name and sorts ties by name', () => {
    const names = code([...slack, email])
      .search('+slack')
      .hits.map(({ tool }) => tool.name)
    expect(names).toEqual(['mcp__slack__list', 'mcp__slack__send'])
  })

  it('returns an empty result without an error for a blank query', async () => {
    const { outcome, answer } = await (await code(slack).session('a')).search({ query: '' })
    expect(outcome.hits).toEqual([])
    expect(answer.isError).toBe(false)
  })
})
