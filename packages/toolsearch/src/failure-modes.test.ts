import { describe, expect, it } from 'vitest'
import { createToolSearch, type ToolDefinition, type Turn } from './index.ts'

/** Bugs of other tool searches, each with a link to its report. */

const issue: ToolDefinition = {
  name: 'mcp__tracker__create_issue',
  description: 'Open a new issue in a project',
  inputSchema: {
    type: 'object',
    properties: { title: { type: 'string' }, labels: { type: 'array', items: {} } },
    required: ['title'],
  },
}
const mail: ToolDefinition = { name: 'mcp__mail__send', description: 'Send an email' }
const shell: ToolDefinition = { name: 'run_command', description: 'Run it', loading: 'eager' }
const always = { activation: 'always' } as const

const names = (turn: Turn) => turn.tools.map((tool) => tool.name)
const listing = (count: number): ToolDefinition[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `mcp__bulk__action_number_${index}`,
    description: `Does thing ${index}`,
  }))

describe('defects fixed in Claude Code, by version', () => {
  it('2.1.50 the first turn contains tools that were added after the session was opened', async () => {
    const toolSearch = createToolSearch(always)
    const session = await toolSearch.session('a')
    toolSearch.catalogue.add([issue, mail])
    const turn = await session.turn()
    expect(turn.hidden).toBe(2)
    expect(turn.system).toContain(issue.name)
  })

  it('2.1.76 a loaded tool keeps its schema after compaction', async () => {
    const session = await createToolSearch({ tools: [issue, mail], ...always }).session('a')
    await session.turn()
    await session.search({ query: 'open issue' })
    await session.compacted()
    const { tools } = await session.turn()
    expect(tools.find((tool) => tool.name === issue.name)?.inputSchema).toEqual(issue.inputSchema)
    const answer = await session.answer({
      name: issue.name,
      arguments: { title: 'x', labels: [1] },
    })
    expect(answer).toMatchObject({ kind: 'run' })
  })

  it('2.1.84 an eager tool that is added late is never deferred', async () => {
    const toolSearch = createToolSearch({ tools: [issue, mail], ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    toolSearch.catalogue.add(shell)
    expect(names(await session.turn())).toEqual(['tool_search', 'run_command'])
    expect(await session.answer({ name: 'run_command' })).toMatchObject({ kind: 'run' })
  })

  it('2.1.90 a resumed session sends the same bytes', async () => {
    const tools = [shell, issue, mail]
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    await session.search({ query: 'email' })
    await session.search({ query: 'issue' })
    await session.turn()
    const before = await session.turn()
    const snapshot = JSON.parse(JSON.stringify(await session.snapshot()))
    const elsewhere = createToolSearch({ tools, ...always })
    const resumed = await elsewhere.restore(snapshot)
    expect(JSON.stringify(await resumed.turn())).toBe(JSON.stringify(before))
  })

  it('2.1.113 an exact name ranks above tools whose descriptions match', async () => {
    const sibling = {
      name: 'mcp__tracker__help',
      description: 'mcp tracker create issue: how mcp__tracker__create_issue works',
    }
    const toolSearch = createToolSearch({ tools: [sibling, issue] })
    for (const query of [issue.name, `"${issue.name}"`, `\`${issue.name}\``]) {
      expect(toolSearch.search(query).hits[0]?.tool.name).toBe(issue.name)
    }
  })

  it('2.1.122 a tool of a server that connected later is found', async () => {
    const toolSearch = createToolSearch({ tools: [mail], ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    toolSearch.catalogue.add(issue)
    const { outcome } = await session.search({ query: 'open issue' })
    expect(outcome.hits[0]?.tool.name).toBe(issue.name)
  })

  it('2.1.126 a subagent can search and call on its first turn', async () => {
    const parent = await createToolSearch({ tools: [issue, mail], ...always }).session('a')
    await parent.turn()
    const child = await parent.fork('a/child')
    expect(names(await child.turn())).toEqual(['tool_search'])
    await child.search({ query: 'open issue' })
    expect(names(await child.turn())).toEqual(['tool_search', issue.name])
    expect(parent.loaded).toEqual([])
  })

  it('2.1.224 and 2.1.228 a tool added during a conversation is announced once', async () => {
    const toolSearch = createToolSearch({ tools: [mail], ...always })
    const session = await toolSearch.session('a')
    const first = await session.turn()
    toolSearch.catalogue.add(issue)
    const second = await session.turn()
    expect(second.notice).toContain(issue.name)
    expect(second.system).toBe(first.system)
    expect((await session.turn()).notice).toBeUndefined()
  })
})

describe('open issues of Claude Code', () => {
  // https://github.com/anthropics/claude-code/issues/25961
  it('a keyword search finds a tool that was never selected before', async () => {
    const session = await createToolSearch({ tools: [issue, mail], ...always }).session('a')
    expect((await session.search({ query: 'issue' })).outcome.hits).toHaveLength(1)
  })

  // https://github.com/anthropics/claude-code/issues/60052
  it('a call to an unloaded tool is answered with its schema and loads it', async () => {
    const session = await createToolSearch({ tools: [issue, mail], ...always }).session('a')
    await session.turn()
    const answer = await session.answer({ name: issue.name, arguments: { title: '7' } })
    expect(answer).toMatchObject({ isError: true, data: { inputSchema: issue.inputSchema } })
    expect(names(await session.turn())).toContain(issue.name)
    expect(await session.answer({ name: issue.name, arguments: { title: '7' } })).toMatchObject({
      kind: 'run',
    })
  })

  // https://github.com/anthropics/claude-code/issues/83363
  it('the list of hidden tools stays within its budget', async () => {
    const toolSearch = createToolSearch({ tools: [...listing(2_000), issue], ...always })
    const { system } = await (await toolSearch.session('a')).turn()
    expect(system).toContain('2000 tools from mcp:bulk')
    expect(system).toContain(issue.name)
    expect(system!.length).toBeLessThan(400)
  })

  // https://github.com/anthropics/claude-code/issues/14111
  it('a request never contains a name twice', async () => {
    const toolSearch = createToolSearch({ tools: [issue, { name: 'tool_search' }], ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    await session.load([issue.name, issue.name])
    const turn = await session.turn()
    expect(turn.nameConflicts).toEqual(['tool_search'])
    expect(new Set(names(turn)).size).toBe(turn.tools.length)
  })
})

describe('bugs of other projects', () => {
  // https://github.com/iOfficeAI/AionCore/issues/793
  it('there is no search tool if nothing is deferred', async () => {
    const session = await createToolSearch({ tools: [shell], ...always }).session('a')
    const turn = await session.turn()
    expect(names(turn)).toEqual(['run_command'])
    expect(turn.system).toBeUndefined()
  })

  // https://github.com/microsoft/vscode/issues/312406
  it('nothing is deferred if the model cannot search', async () => {
    const session = await createToolSearch({ tools: [issue, mail], ...always }).session('a')
    await session.turn()
    const turn = await session.turn({ canSearch: false })
    expect(names(turn)).toEqual([issue.name, mail.name])
    expect(await session.answer({ name: issue.name, arguments: { title: 'x' } })).toMatchObject({
      kind: 'run',
    })
  })

  // https://github.com/nearai/ironclaw/issues/7892
  it('a repeated search reports that nothing has changed', async () => {
    const session = await createToolSearch({ tools: [issue, mail], ...always }).session('a')
    await session.search({ query: 'open issue' })
    expect((await session.search({ query: 'open issue' })).outcome.repeats).toBe(1)
    const { outcome, answer } = await session.search({ query: 'open issue' })
    expect(outcome.repeats).toBe(2)
    expect(answer.text).toContain('2 times, and nothing has changed')
    expect((await session.search({ query: 'email' })).outcome.repeats).toBe(0)
  })

  // https://github.com/FMXExpress/PasClaw/issues/402
  it('an empty result lists the servers that could not be searched', async () => {
    const toolSearch = createToolSearch({ tools: [mail], ...always })
    toolSearch.sources.set({ source: 'mcp:tracker', state: 'failed', detail: 'spawn ENOENT' })
    toolSearch.sources.set({ source: 'mcp:wiki', state: 'connecting' })
    toolSearch.sources.set({ source: 'mcp:crm', state: 'needs-sign-in' })
    toolSearch.sources.set({ source: 'mcp:mail', state: 'ready' })
    const session = await toolSearch.session('a')
    const { answer } = await session.search({ query: 'open issue' })
    expect(answer.data).toMatchObject({
      not_ready: [
        { server: 'crm', state: 'needs-sign-in' },
        { server: 'tracker', state: 'failed', detail: 'spawn ENOENT' },
        { server: 'wiki', state: 'connecting' },
      ],
    })
  })

  // https://github.com/colbymchenry/codegraph/pull/1696
  it('a pinned tool is always sent, regardless of its server', async () => {
    const toolSearch = createToolSearch({
      tools: [issue, mail],
      deferral: { alwaysOn: [mail.name] },
      ...always,
    })
    expect(names(await (await toolSearch.session('a')).turn())).toEqual(['tool_search', mail.name])
  })

  // https://github.com/QwenLM/qwen-code/issues/6721
  it('loading a tool only appends to the list', async () => {
    const toolSearch = createToolSearch({ tools: [mail, issue, shell, ...listing(20)], ...always })
    const session = await toolSearch.session('a')
    let before = await session.turn()
    for (const query of ['issue', 'email', 'thing 7', 'thing 3']) {
      await session.search({ query, max_results: 1 })
      const after = await session.turn()
      expect(after.tools.slice(0, before.tools.length)).toEqual(before.tools)
      expect(after.tools.length).toBe(before.tools.length + 1)
      expect(after.system).toBe(before.system)
      before = after
    }
  })

  // https://github.com/openai/codex/issues/34719
  it('the turn after compaction can still search', async () => {
    const toolSearch = createToolSearch({ tools: [issue, mail], ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    await session.compacted()
    const turn = await session.turn()
    expect(names(turn)).toEqual(['tool_search'])
    expect(turn.system).toContain(issue.name)
  })

  // https://github.com/omnara-ai/omnara/issues/535
  it('a changed tool is sent with its new definition, and a search loads it again', async () => {
    const toolSearch = createToolSearch({ tools: [issue, mail], ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    await session.search({ query: 'open issue' })
    const changed = { ...issue, inputSchema: { type: 'object', required: ['project'] } }
    toolSearch.catalogue.add(changed, { duplicates: 'replace' })
    const { tools } = await session.turn()
    expect(tools.at(-1)?.inputSchema).toEqual(changed.inputSchema)
    const { outcome } = await session.search({ query: `select:${issue.name}` })
    expect(outcome.hits[0]?.status).toBe('loaded')
    expect(session.loaded).toEqual([issue.name])
  })

  // https://github.com/can1357/oh-my-pi/issues/4933
  it('servers with a common name prefix are kept separate', () => {
    const tools = [{ name: 'mcp__foo__bar_read' }, { name: 'mcp__foo_bar__read' }]
    const { catalogue } = createToolSearch({ tools })
    expect(catalogue.tools().map((tool) => tool.source)).toEqual(['mcp:foo', 'mcp:foo_bar'])
    catalogue.removeSource('mcp:foo')
    expect(catalogue.tools().map((tool) => tool.name)).toEqual(['mcp__foo_bar__read'])
  })

  // https://github.com/NousResearch/hermes-agent/issues/73490
  it('a search for an always-on tool reports that it is available', async () => {
    const session = await createToolSearch({ tools: [shell, issue], ...always }).session('a')
    for (const query of ['select:run_command', 'run_command', 'run command']) {
      const { answer } = await session.search({ query })
      expect(answer.data).toMatchObject({ always_available: ['run_command'] })
      expect(answer.isError).toBe(false)
    }
  })
})
