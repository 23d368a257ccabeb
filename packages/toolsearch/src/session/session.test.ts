import { describe, expect, it } from 'vitest'
import {
  claudeCode,
  claudeCodeWiki,
  cortex,
  createMemoryStore,
  createToolSearch,
  dirge,
  everrunsLatest,
  resultFormat,
  type Session,
  type SessionAddition,
  type SessionStore,
  type ToolDefinition,
  type ToolSearch,
  type Turn,
  unified,
} from '../index.ts'

const log: ToolDefinition = {
  name: 'git_log',
  description: 'Shows the history of a branch',
  inputSchema: { type: 'object', properties: { branch: { type: 'string' } }, required: ['branch'] },
}
const diff: ToolDefinition = { name: 'git_diff', description: 'Shows what changed in a file' }
const mail: ToolDefinition = { name: 'mail_send', description: 'Sends a letter to somebody' }
const shell: ToolDefinition = { name: 'shell', description: 'Runs a command', loading: 'eager' }
const tools = [log, diff, mail, shell]
const always = { activation: 'always' } as const

const names = (turn: Turn) => turn.tools.map(({ name }) => name)

/** A store that writes down what it is asked to keep. */
function watchedStore(): SessionStore & { writes: unknown[] } {
  const memory = createMemoryStore()
  const writes: unknown[] = []
  return {
    ...memory,
    writes,
    append(id: string, addition: SessionAddition) {
      writes.push(addition)
      return memory.append(id, addition)
    },
    write(id, record) {
      writes.push(record)
      return memory.write(id, record)
    },
  }
}

describe('session.turn', () => {
  it('sends the search tool, the eager tools and a list of the rest', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const turn = await session.turn()
    expect(names(turn)).toEqual(['tool_search', 'shell'])
    expect(turn.system).toContain('- git_diff\n- git_log\n- mail_send')
    expect(turn.hidden).toBe(3)
  })

  it('writes to the store what is new and nothing when nothing is', async () => {
    const store = watchedStore()
    const session = await createToolSearch({ tools, store, ...always }).session('a')
    const first = await session.turn()
    expect(store.writes).toHaveLength(1)
    expect(await session.turn()).toEqual(first)
    expect(await session.turn()).toEqual(first)
    expect(store.writes).toHaveLength(1)
  })

  it('writes nothing where nothing can be deferred', async () => {
    const store = watchedStore()
    const session = await createToolSearch({ tools: [shell], store, ...always }).session('a')
    await session.turn()
    expect(store.writes).toEqual([])
  })

  it('writes nothing where nothing is deferred', async () => {
    const store = watchedStore()
    const session = await createToolSearch({ tools, store, activation: 'never' }).session('a')
    await session.turn()
    await session.turn({ canSearch: false })
    expect(store.writes).toEqual([])
  })

  it('defers nothing while the model cannot search, and goes on where it was afterwards', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.search({ query: 'letter' })
    const before = await session.turn()
    const open = await session.turn({ canSearch: false })
    expect(names(open)).toEqual(['git_log', 'git_diff', 'mail_send', 'shell'])
    expect([open.hidden, open.system, open.notice]).toEqual([0, undefined, undefined])
    expect(await session.turn()).toEqual(before)
  })

  it('tells late what came while the model could not search', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    toolSearch.catalogue.add({ name: 'late' })
    expect((await session.turn({ canSearch: false })).notice).toBeUndefined()
    expect((await session.turn()).notice).toContain('- late')
    expect((await session.turn()).notice).toBeUndefined()
  })

  it('carries a tool the model is made to call', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const turn = await session.turn({ toolChoice: 'git_log' })
    expect(names(turn)).toEqual(['tool_search', 'shell', 'git_log'])
    expect(session.loaded).toEqual(['git_log'])
    expect(names(await session.turn())).toEqual(['tool_search', 'shell', 'git_log'])
  })

  it('carries a tool the model is made to call even where nothing is loaded', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    expect(names(await session.turn({ toolChoice: 'git_log' }))).toContain('git_log')
  })

  it('does not mind being made to call what is always there or not there at all', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    for (const toolChoice of ['shell', 'tool_search', 'nothing']) {
      expect(names(await session.turn({ toolChoice }))).toEqual(['tool_search', 'shell'])
    }
    expect(session.loaded).toEqual([])
  })
})

describe('session.turn and activation', () => {
  const many = Array.from({ length: 14 }, (_, index) => ({ name: `tool_${index}` }))

  it('begins to defer with the fifteenth tool, and never ends', async () => {
    const toolSearch = createToolSearch({ tools: many })
    const session = await toolSearch.session('a')
    expect(await session.turn()).toMatchObject({ hidden: 0 })
    toolSearch.catalogue.add({ name: 'tool_14' })
    expect(await session.turn()).toMatchObject({ hidden: 15 })
    toolSearch.catalogue.remove(many.slice(0, 12).map(({ name }) => name))
    expect(await session.turn()).toMatchObject({ hidden: 3 })
    const another = await toolSearch.session('b')
    expect(await another.turn()).toMatchObject({ hidden: 0 })
    const reopened = await toolSearch.session('a')
    expect(await reopened.turn()).toMatchObject({ hidden: 3 })
  })

  it('begins when definitions fill a tenth of the window', async () => {
    const long = { name: 'long', description: 'word '.repeat(150) }
    const small = createToolSearch({ tools: [long], contextWindow: 1_000 })
    expect(await (await small.session('a')).turn()).toMatchObject({ hidden: 1 })
    const large = createToolSearch({ tools: [long], contextWindow: 10_000 })
    expect(await (await large.session('a')).turn()).toMatchObject({ hidden: 0 })
  })

  it('has a window of 200,000 tokens unless told otherwise', async () => {
    const countTokens = (text: string) => text.length
    const definition =
      '{"name":"x","description":"","inputSchema":{"type":"object","properties":{}}}'
    const description = 'd'.repeat(20_000 - definition.length)
    const activation = { definitionShare: 0.1 }
    const enough = createToolSearch({
      tools: [{ name: 'x', description }],
      activation,
      countTokens,
    })
    expect(await (await enough.session('a')).turn()).toMatchObject({ hidden: 1 })
    const shorter = [{ name: 'x', description: description.slice(1) }]
    const less = createToolSearch({ tools: shorter, activation, countTokens })
    expect(await (await less.session('a')).turn()).toMatchObject({ hidden: 0 })
  })

  it('begins when the conversation fills a tenth of the window, and never ends', async () => {
    const activation = { usageShare: 0.1 }
    const session = await createToolSearch({ tools, activation }).session('a')
    expect(await session.turn()).toMatchObject({ hidden: 0 })
    expect(await session.turn({ usedTokens: 19_999 })).toMatchObject({ hidden: 0 })
    expect(await session.turn({ usedTokens: 20_000 })).toMatchObject({ hidden: 3 })
    expect(await session.turn({ usedTokens: 10 })).toMatchObject({ hidden: 3 })
  })

  it('never ends for a single tool either', async () => {
    const activation = { usageShare: 0.1 }
    const session = await createToolSearch({ tools: [log, shell], activation }).session('a')
    await session.turn({ usedTokens: 20_000 })
    expect(await session.turn()).toMatchObject({ hidden: 1 })
  })

  it('hides before it begins only what was to be deferred on request', async () => {
    const asked: ToolDefinition[] = [...many.slice(0, 3), { name: 'rare', loading: 'deferred' }]
    const toolSearch = createToolSearch({ tools: asked, activation: { toolCount: 15 } })
    const session = await toolSearch.session('a')
    const turn = await session.turn()
    expect(names(turn)).toEqual(['tool_search', 'tool_0', 'tool_1', 'tool_2'])
    expect(turn.system).toContain('- rare')
    expect(session.snapshot().record.active).toBe(false)
  })

  it('defers nothing if never, not even on request', async () => {
    const asked: ToolDefinition[] = [...tools, { name: 'rare', loading: 'deferred' }]
    const session = await createToolSearch({ tools: asked, activation: 'never' }).session('a')
    const turn = await session.turn()
    expect(turn).toMatchObject({ hidden: 0 })
    expect(names(turn)).toContain('rare')
  })

  it('sends a tool that was in use before it began for as long as the session lasts', async () => {
    const session = await createToolSearch({ tools, activation: { usageShare: 0.1 } }).session('a')
    await session.turn()
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'main' } })).toBeUndefined()
    const turn = await session.turn({ usedTokens: 30_000 })
    expect(names(turn)).toEqual(['tool_search', 'shell', 'git_log'])
  })
})

describe('session.turn as tools come and go', () => {
  it('only ever adds to the end of what it sent', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    const order: string[][] = [names(await session.turn())]
    const step = async (change: () => unknown) => {
      await change()
      order.push(names(await session.turn()))
    }
    await step(() => session.load(['mail_send']))
    await step(() => toolSearch.catalogue.add({ name: 'a_late_one', loading: 'eager' }))
    await step(() => session.load(['git_log']))
    await step(() => toolSearch.catalogue.add({ name: 'another' }))
    await step(() => session.load(['another']))
    expect(order.at(-1)).toEqual([
      'tool_search',
      'shell',
      'mail_send',
      'a_late_one',
      'git_log',
      'another',
    ])
    for (const [index, list] of order.slice(1).entries()) {
      expect(list.slice(0, order[index]!.length)).toEqual(order[index])
    }
  })

  it('leaves the others in their order when a tool goes, and gives it a place when it is back', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.load(['mail_send', 'git_log', 'git_diff'])
    await session.turn()
    toolSearch.catalogue.add({ name: 'hidden' })
    expect(names(await session.turn())).toEqual([
      'tool_search',
      'shell',
      'mail_send',
      'git_log',
      'git_diff',
    ])
    toolSearch.catalogue.remove('mail_send')
    expect(names(await session.turn())).toEqual(['tool_search', 'shell', 'git_log', 'git_diff'])
    toolSearch.catalogue.add(mail)
    const back = names(await session.turn())
    expect(back.filter((name) => name !== 'mail_send')).toEqual([
      'tool_search',
      'shell',
      'git_log',
      'git_diff',
    ])
    expect(back).toContain('mail_send')
  })

  it('keeps the place of a tool whose definition changes, and sends the new one', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.load(['git_log', 'git_diff'])
    const before = await session.turn()
    toolSearch.catalogue.add({ ...log, description: 'New words' }, { duplicates: 'replace' })
    const after = await session.turn()
    expect(names(after)).toEqual(names(before))
    expect(after.tools[2]).toMatchObject({ name: 'git_log', description: 'New words' })
  })

  it('announces a tool each time it comes and goes, and never changes the block', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    const { system } = await session.turn()
    const late = { name: 'late' }
    for (let round = 0; round < 3; round++) {
      toolSearch.catalogue.add(late)
      const came = await session.turn()
      expect(came).toMatchObject({ system, notice: 'New tools available through search:\n- late' })
      toolSearch.catalogue.remove('late')
      const went = await session.turn()
      expect(went).toMatchObject({ system, notice: 'No longer available:\n- late' })
      expect((await session.turn()).notice).toBeUndefined()
    }
  })

  it('says nothing of a tool that came and went between two turns', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    toolSearch.catalogue.add({ name: 'late' })
    toolSearch.catalogue.remove('late')
    expect((await session.turn()).notice).toBeUndefined()
  })

  it('drops search tool and block when the last hidden tool goes, and takes them up again', async () => {
    const toolSearch = createToolSearch({ tools: [shell, log], ...always })
    const session = await toolSearch.session('a')
    const before = await session.turn()
    toolSearch.catalogue.remove('git_log')
    const without = await session.turn()
    expect(names(without)).toEqual(['shell'])
    expect(without.system).toBeUndefined()
    toolSearch.catalogue.add(log)
    expect(await session.turn()).toEqual(before)
  })
})

describe('session.search', () => {
  it('loads what it finds, in order, for the next turn', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const { outcome, answer } = await session.search({ query: 'history of a branch' })
    expect(outcome.hits.map(({ tool, status }) => [tool.name, status])).toEqual([
      ['git_log', 'loaded'],
    ])
    expect(outcome).toMatchObject({ deferrable: 3, remaining: 2, repeats: 0 })
    expect(answer.data).toMatchObject({ loaded: [{ name: 'git_log' }] })
    await session.search({ query: 'select:mail_send' })
    expect(session.loaded).toEqual(['git_log', 'mail_send'])
  })

  it('takes arguments as JSON text, as a call brings them', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const answer = await session.answer({
      name: 'tool_search',
      arguments: '{"query":"select:git_log"}',
    })
    expect(answer?.isError).toBe(false)
    expect(session.loaded).toEqual(['git_log'])
  })

  it('says that a tool is loaded already, and does not write it again', async () => {
    const store = watchedStore()
    const session = await createToolSearch({ tools, store, ...always }).session('a')
    await session.search({ query: 'select:git_log' })
    const writes = store.writes.length
    const { outcome, answer } = await session.search({ query: 'git_log' })
    expect(outcome.hits[0]?.status).toBe('already-loaded')
    expect(answer.data).toMatchObject({ already_loaded: ['git_log'] })
    expect(store.writes).toHaveLength(writes)
  })

  it('loads a tool again whose definition has changed, and leaves it in its place', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.load(['git_log', 'git_diff'])
    toolSearch.catalogue.add({ ...log, description: 'New words' }, { duplicates: 'replace' })
    const { outcome } = await session.search({ query: 'select:git_log,git_diff' })
    expect(outcome.hits.map(({ status }) => status)).toEqual(['loaded', 'already-loaded'])
    const again = await session.search({ query: 'select:git_log' })
    expect(again.outcome.hits[0]?.status).toBe('already-loaded')
    expect(session.loaded).toEqual(['git_log', 'git_diff'])
  })

  it('loads nothing by a search that was refused', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    for (const input of [{ query: ' ' }, {}, undefined, '{"query":', { query: 7 }]) {
      const { outcome, answer } = await session.search(input)
      expect(outcome.problem).toBeDefined()
      expect(outcome.hits).toEqual([])
      expect(answer.isError).toBe(true)
    }
    expect(session.loaded).toEqual([])
  })

  it('loads nothing where nothing is to be loaded, and still finds', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    const { outcome } = await session.search({ query: 'select:git_log' })
    expect(outcome.hits[0]?.status).toBe('found')
    expect(outcome.remaining).toBe(3)
    expect(session.loaded).toEqual([])
    expect(names(await session.turn())).toEqual(['tool_search', 'shell'])
  })

  it('does not load what is always there', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const { outcome } = await session.search({ query: 'select:shell' })
    expect(outcome.hits[0]?.status).toBe('always-on')
    expect(session.loaded).toEqual([])
  })

  it('keeps both of two searches made at once', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await Promise.all([
      session.search({ query: 'select:git_log' }),
      session.search({ query: 'select:git_diff,mail_send' }),
    ])
    expect(session.loaded).toEqual(['git_log', 'git_diff', 'mail_send'])
  })
})

describe('session.search made too often', () => {
  it('is refused past the limit, costs nothing more, and is open again later', async () => {
    let now = 0
    const rateLimit = { calls: 2, windowMs: 60_000 }
    const toolSearch = createToolSearch({ tools, rateLimit, now: () => now, ...always })
    const session = await toolSearch.session('chat-7')
    await session.search({ query: 'select:git_log' })
    await session.search({ query: 'select:git_diff' })
    const { outcome, answer } = await session.search({ query: 'select:mail_send' })
    expect(outcome).toMatchObject({
      query: 'select:mail_send',
      hits: [],
      problem: {
        code: 'rate_limited',
        message:
          'Session "chat-7" has made 2 searches in 60 s, which is the limit. Use the tools already found, or wait.',
      },
    })
    expect(answer.isError).toBe(true)
    expect(session.loaded).toEqual(['git_log', 'git_diff'])
    const other = await toolSearch.session('chat-8')
    expect((await other.search({ query: 'select:mail_send' })).outcome.problem).toBeUndefined()
    now = 60_000
    expect((await session.search({ query: 'select:mail_send' })).outcome.problem).toBeUndefined()
  })

  it('is not limited unless told otherwise', async () => {
    const session = await createToolSearch({ tools, now: () => 0, ...always }).session('a')
    for (let i = 0; i < 50; i++) {
      expect((await session.search({ query: `history ${i}` })).outcome.problem).toBeUndefined()
    }
  })

  it('does not count a search that was refused for what it asked', async () => {
    const rateLimit = { calls: 1, windowMs: 60_000 }
    const session = await createToolSearch({ tools, rateLimit, now: () => 0, ...always }).session(
      'a',
    )
    await session.search({ query: '' })
    await session.search({})
    expect((await session.search({ query: 'history' })).outcome.problem).toBeUndefined()
  })
})

describe('session.search made again', () => {
  it('says that nothing has changed', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    expect((await session.search({ query: 'history' })).outcome.repeats).toBe(0)
    const { outcome, answer } = await session.search({ query: 'history' })
    expect(outcome.repeats).toBe(1)
    expect(answer.text).toContain('nothing has changed since')
  })

  it.each<[string, (here: { toolSearch: ToolSearch; session: Session }) => unknown]>([
    ['a tool came', ({ toolSearch }) => toolSearch.catalogue.add({ name: 'new' })],
    ['a tool went', ({ toolSearch }) => toolSearch.catalogue.remove('mail_send')],
    ['a tool was loaded', ({ session }) => session.load(['mail_send'])],
    [
      'a server began to connect',
      ({ toolSearch }) => toolSearch.sources.set({ source: 'mcp:new', state: 'connecting' }),
    ],
    [
      'a server that was connecting failed',
      ({ toolSearch }) => toolSearch.sources.set({ source: 'mcp:hub', state: 'failed' }),
    ],
    [
      'one server became ready and another failed',
      ({ toolSearch }) => {
        toolSearch.sources.set({ source: 'mcp:hub', state: 'ready' })
        toolSearch.sources.set({ source: 'mcp:new', state: 'failed' })
      },
    ],
    ['the history was compacted', ({ session }) => session.compacted()],
    ['what is loaded was read from the history', ({ session }) => session.rebuild([])],
  ])('does not say so after %s', async (_, change) => {
    const here = await world()
    await here.session.search({ query: 'history' })
    await change(here)
    const { outcome, answer } = await here.session.search({ query: 'history' })
    expect(outcome.repeats).toBe(0)
    expect(answer.text).not.toContain('nothing has changed')
  })

  it('does not say so of the same words with another limit, or of other words', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.search({ query: 'history' })
    expect((await session.search({ query: 'history', max_results: 9 })).outcome.repeats).toBe(0)
    expect((await session.search({ query: 'histories' })).outcome.repeats).toBe(0)
  })

  async function world(): Promise<{ toolSearch: ToolSearch; session: Session }> {
    const toolSearch = createToolSearch({ tools, loading: 'until-compaction', ...always })
    toolSearch.sources.set({ source: 'mcp:hub', state: 'connecting' })
    return { toolSearch, session: await toolSearch.session('a') }
  }
})

describe('session.answer', () => {
  it('leaves a good call of a loaded tool to the caller', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    await session.load(['git_log'])
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'x' } })).toBeUndefined()
    expect(await session.answer({ name: 'shell', arguments: '{}' })).toBeUndefined()
  })

  it('answers a call of a hidden tool with its schema, loads it, and lets the next one run', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    const call = { name: 'git_log', arguments: { branch: 'main' } }
    const answer = await session.answer(call)
    expect(answer).toMatchObject({ isError: true, data: { inputSchema: log.inputSchema } })
    expect(names(await session.turn())).toContain('git_log')
    expect(await session.answer(call)).toBeUndefined()
  })

  it('answers a call of a hidden tool also in a session that was just opened again', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    await (await toolSearch.session('a')).turn()
    const session = await toolSearch.session('a')
    const answer = await session.answer({ name: 'git_log', arguments: { branch: 'main' } })
    expect(answer).toMatchObject({ isError: true, data: { name: 'git_log' } })
  })

  it('lets a call of a hidden tool run where the preset says so, and loads it', async () => {
    const session = await createToolSearch({ tools, unloadedCalls: 'allow', ...always }).session(
      'a',
    )
    await session.turn()
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'x' } })).toBeUndefined()
    expect(session.loaded).toEqual(['git_log'])
  })

  it('is no dead end where nothing is loaded', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    await session.turn()
    await session.search({ query: 'select:git_log' })
    const call = { name: 'git_log', arguments: { branch: 'main' } }
    await session.answer(call)
    await session.turn()
    expect(await session.answer(call)).toBeUndefined()
  })

  it('answers wrong arguments with what is wrong', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.load(['git_log'])
    const answer = await session.answer({ name: 'git_log', arguments: {} })
    expect(answer).toMatchObject({
      isError: true,
      data: { problems: ['"branch" is required'], inputSchema: log.inputSchema },
    })
  })

  it('answers a call of no tool with close names', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const answer = await session.answer({ name: 'git_lgo', arguments: {} })
    expect(answer).toMatchObject({ isError: true, data: { closest: ['git_log', 'git_diff'] } })
    expect(session.loaded).toEqual([])
  })

  it('answers the search tool by the name it has', async () => {
    const searchTool = { name: 'FindTools' }
    const session = await createToolSearch({ tools, searchTool, ...always }).session('a')
    expect(names(await session.turn())[0]).toBe('FindTools')
    const answer = await session.answer({ name: 'FindTools', arguments: { query: 'git_log' } })
    expect(answer?.isError).toBe(false)
    expect(session.loaded).toEqual(['git_log'])
    expect(await session.answer({ name: 'tool_search', arguments: {} })).toMatchObject({
      isError: true,
    })
  })

  it('takes a tool for known after a request that carried all of them', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn({ canSearch: false })
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'x' } })).toBeUndefined()
    await session.turn()
    expect(await session.answer({ name: 'git_diff' })).toMatchObject({ isError: true })
  })
})

describe('session.load', () => {
  it('loads visible tools that can be deferred, and tells which are new', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    expect(await session.load(['git_diff', 'shell', 'nothing', 'git_log'])).toEqual([
      'git_diff',
      'git_log',
    ])
    expect(await session.load(['git_log', 'mail_send'])).toEqual(['mail_send'])
    expect(session.loaded).toEqual(['git_diff', 'git_log', 'mail_send'])
  })

  it('loads nothing where nothing is to be loaded', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    expect(await session.load(['git_log'])).toEqual([])
  })
})

describe('session.compacted', () => {
  it('keeps what is loaded if sticky, in its order, and announces the rest anew', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    await session.load(['mail_send', 'git_log'])
    const before = await session.turn()
    toolSearch.catalogue.add({ name: 'late' })
    await session.turn()
    await session.compacted()
    const after = await session.turn()
    expect(names(after)).toEqual(names(before))
    expect(after.system).toContain('- git_diff\n- late')
    expect(after.system).not.toContain('mail_send')
    expect(after.notice).toBeUndefined()
  })

  it('forgets what is loaded if that is to last until compaction', async () => {
    const session = await createToolSearch({
      tools,
      loading: 'until-compaction',
      ...always,
    }).session('a')
    await session.turn()
    await session.load(['mail_send', 'git_log'])
    await session.compacted()
    expect(session.loaded).toEqual([])
    const after = await session.turn()
    expect(names(after)).toEqual(['tool_search', 'shell'])
    expect(after.system).toContain('mail_send')
  })

  it('does not end deferral', async () => {
    const session = await createToolSearch({ tools, activation: { usageShare: 0.1 } }).session('a')
    await session.turn({ usedTokens: 100_000 })
    await session.compacted()
    expect(await session.turn({ usedTokens: 100 })).toMatchObject({ hidden: 3 })
  })
})

describe('session.rebuild', () => {
  it('takes what is loaded from the messages, in place of what is known', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.load(['git_diff'])
    const messages = [
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'mail_send', input: {} }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: '2', name: 'git_log', input: {} }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: '3', name: 'shell', input: {} }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: '4', name: 'gone', input: {} }] },
    ]
    expect(await session.rebuild(messages)).toEqual(['mail_send', 'git_log'])
    expect(names(await session.turn())).toEqual(['tool_search', 'shell', 'mail_send', 'git_log'])
  })

  it('gives the next turn the bytes it had before', async () => {
    const first = await createToolSearch({ tools, ...always }).session('a')
    await first.turn()
    const { answer } = await first.search({ query: 'select:mail_send,git_log' })
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
      { content: [{ type: 'tool_result', tool_use_id: '1', content: answer.text }] },
    ]
    const second = await createToolSearch({ tools, ...always }).session('a')
    await second.rebuild(messages)
    expect(JSON.stringify(await second.turn())).toBe(JSON.stringify(await first.turn()))
  })

  it('loads no tool the caller may not use, whatever the messages say', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible: ['git_log', 'shell'] })
    const messages = [
      { content: [{ type: 'tool_reference', tool_name: 'mail_send' }] },
      { content: [{ type: 'tool_reference', tool_name: 'git_log' }] },
    ]
    expect(await session.rebuild(messages)).toEqual(['git_log'])
  })

  it('loads nothing where nothing is to be loaded', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    const messages = [{ content: [{ type: 'tool_use', id: '1', name: 'git_log', input: {} }] }]
    expect(await session.rebuild(messages)).toEqual([])
  })

  it('is kept by the store', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.rebuild([
      { content: [{ type: 'tool_use', id: '1', name: 'git_log', input: {} }] },
    ])
    expect((await toolSearch.session('a')).loaded).toEqual(['git_log'])
  })

  it.each([unified, claudeCode, claudeCodeWiki, cortex, dirge, everrunsLatest])(
    'finds in a transcript what the searches of $preset loaded',
    async (preset) => {
      const deferred = [log, diff, mail].map((tool) => ({ ...tool, loading: 'deferred' }) as const)
      const toolSearch = createToolSearch({ tools: [...deferred, shell], preset, ...always })
      const session = await toolSearch.session('a')
      await session.turn()
      const messages: unknown[] = []
      for (const [index, query] of ['history of a branch', 'send letter', 'branch'].entries()) {
        const call = { name: preset.searchTool.name, arguments: JSON.stringify({ query }) }
        const answer = await session.answer(call)
        messages.push(
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `call_${index}`, type: 'function', function: call }],
          },
          { role: 'tool', tool_call_id: `call_${index}`, content: answer!.text },
        )
      }
      expect(session.loaded.length).toBeGreaterThan(1)
      const another = await createToolSearch({
        tools: [...deferred, shell],
        preset,
        ...always,
      }).session('b')
      expect(await another.rebuild(JSON.parse(JSON.stringify(messages)))).toEqual(session.loaded)
    },
  )

  it('finds in a transcript also what a result left out to save room', async () => {
    const result = resultFormat({ detail: 'schemas', budget: 5 })
    const session = await createToolSearch({ tools, result, ...always }).session('a')
    const { answer } = await session.search({ query: 'select:git_log,git_diff,mail_send' })
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
      { content: [{ type: 'tool_result', tool_use_id: '1', content: answer.text }] },
    ]
    const another = await createToolSearch({ tools, result, ...always }).session('b')
    expect(await another.rebuild(messages)).toEqual(session.loaded)
  })
})

describe('session.withTools', () => {
  it('is the same conversation with these tools and no others', async () => {
    const toolSearch = createToolSearch({ tools: [log, shell], ...always })
    const session = await toolSearch.session('a')
    const own = session.withTools([log, mail])
    const turn = await own.turn()
    expect(turn.system).toContain('- git_log\n- mail_send')
    expect(names(turn)).toEqual(['tool_search'])
    expect((await own.search({ query: 'select:shell' })).outcome.missing).toHaveLength(1)
    await own.load(['mail_send', 'shell'])
    expect(session.loaded).toEqual(['mail_send'])
  })

  it('adds to the catalogue what is new, and keeps what is known of the others', async () => {
    const hinted: ToolDefinition = { ...log, searchHint: 'annals', loading: 'deferred' }
    const toolSearch = createToolSearch({ tools: [hinted] })
    const session = await toolSearch.session('a')
    session.withTools([{ name: 'git_log', description: 'Shows commits' }, mail])
    expect(toolSearch.catalogue.get('git_log')).toMatchObject({
      description: 'Shows commits',
      inputSchema: log.inputSchema,
      searchHint: 'annals',
      loading: 'deferred',
    })
    const { version } = toolSearch.catalogue
    session.withTools([{ name: 'git_log', description: 'Shows commits' }, mail])
    expect(toolSearch.catalogue.version).toBe(version)
  })

  it('shows no more than the caller may see', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible: ['git_log', 'shell'] })
    const own = session.withTools([log, mail])
    const turn = await own.turn()
    expect(own.tools().map(({ name }) => name)).toEqual(['git_log'])
    expect(JSON.stringify(turn)).not.toContain('mail_send')
    expect(turn.hidden).toBe(1)
  })

  it('tells of tools that come and go from one request to the next, and leaves the block', async () => {
    const session = await createToolSearch({ ...always }).session('a')
    const first = await session.withTools([log, diff]).turn()
    const second = await session.withTools([log, mail]).turn()
    expect(second.system).toBe(first.system)
    expect(second.notice).toContain('mail_send')
    expect(second.notice).toContain('git_diff')
  })
})

describe('session.fork', () => {
  it('gives a subagent a session of its own, without what is loaded', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const parent = await toolSearch.session('a')
    await parent.turn()
    await parent.load(['git_log'])
    const child = await parent.fork('a/1')
    expect(child.id).toBe('a/1')
    expect(child.loaded).toEqual([])
    expect(await child.turn()).toMatchObject({ hidden: 3 })
    await child.load(['mail_send'])
    expect(parent.loaded).toEqual(['git_log'])
    expect((await toolSearch.session('a/1')).loaded).toEqual(['mail_send'])
  })

  it('gives a subagent what is loaded, with the same bytes, and lets them part', async () => {
    const parent = await createToolSearch({ tools, ...always }).session('a')
    await parent.turn()
    await parent.load(['mail_send', 'git_log'])
    const before = await parent.turn()
    const child = await parent.fork('a/1', { loaded: true })
    expect(JSON.stringify(await child.turn())).toBe(JSON.stringify(before))
    await parent.load(['git_diff'])
    expect(child.loaded).toEqual(['mail_send', 'git_log'])
  })

  it('shows a subagent no more than its parent may see', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    toolSearch.sources.set({ source: 'mcp:vault', state: 'failed' })
    const parent = await toolSearch.session('a', { visible: ['git_log'] })
    const child = await parent.fork('a/1')
    const told = [
      await child.turn(),
      await child.turn({ canSearch: false }),
      await child.search({ query: 'letter' }),
      await child.answer({ name: 'mail_sent' }),
      await child.load(['mail_send']),
    ]
    expect(JSON.stringify(told)).not.toMatch(/mail_send|vault/)
  })

  it('has deferral begun for a subagent of a session where it has begun', async () => {
    const parent = await createToolSearch({ tools, activation: { usageShare: 0.1 } }).session('a')
    await parent.turn({ usedTokens: 100_000 })
    const child = await parent.fork('a/1')
    expect(await child.turn()).toMatchObject({ hidden: 3 })
  })

  it('has a limit on searches of its own', async () => {
    const rateLimit = { calls: 1, windowMs: 1_000 }
    const parent = await createToolSearch({ tools, rateLimit, now: () => 0, ...always }).session(
      'a',
    )
    await parent.search({ query: 'history' })
    const child = await parent.fork('a/1')
    expect((await child.search({ query: 'history' })).outcome).toMatchObject({ repeats: 0 })
    expect((await parent.search({ query: 'history' })).outcome.problem?.code).toBe('rate_limited')
  })
})

describe('session.snapshot', () => {
  it('is plain JSON of a version', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    await session.load(['git_log'])
    const snapshot = session.snapshot()
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
    expect(snapshot).toMatchObject({
      version: 1,
      id: 'a',
      record: { active: true, loaded: [{ name: 'git_log' }], sent: ['shell'] },
    })
  })

  it('does not change with the session afterwards', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const before = session.snapshot()
    await session.load(['git_log'])
    expect(before.record.loaded).toEqual([])
  })
})

describe('session.report', () => {
  it('adds up what a turn costs beside sending every tool', async () => {
    const countTokens = (text: string) => text.length
    const session = await createToolSearch({ tools, countTokens, ...always }).session('a')
    const turn = await session.turn()
    const everything = await session.turn({ canSearch: false })
    const cost = (list: Turn['tools']) =>
      list.reduce((sum, tool) => sum + JSON.stringify(tool).length, 0)
    const report = session.report(turn)
    expect(report).toMatchObject({
      eager: cost(everything.tools),
      sentTools: cost(turn.tools),
      announcement: turn.system!.length,
      sent: cost(turn.tools) + turn.system!.length,
    })
    expect(report.saved).toBe(report.eager - report.sent)
    expect(session.report(everything)).toMatchObject({ saved: 0, savedShare: 0 })
  })

  it('counts no tool the caller may not see', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible: ['git_log', 'shell'] })
    const report = session.report(await session.turn())
    expect(report.sources).toEqual([{ source: 'builtin', tools: 2, tokens: report.eager }])
  })
})

describe('session.turn, append-only', () => {
  const revealed = (...list: string[]) => ({ appendOnly: { revealed: new Set(list) } })

  it('does not list a loaded tool that the messages make known', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.load(['git_log'])
    const turn = await session.turn(revealed('git_log'))
    expect(names(turn)).toEqual(['tool_search', 'shell'])
    expect(turn.deferred.map(({ name }) => name)).toEqual(['git_log', 'git_diff', 'mail_send'])
  })

  it('lists a loaded tool that they do not, and keeps it there', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.load(['git_log'])
    expect(names(await session.turn(revealed()))).toEqual(['tool_search', 'shell', 'git_log'])
    expect(names(await session.turn(revealed('git_log')))).toEqual([
      'tool_search',
      'shell',
      'git_log',
    ])
  })

  it('keeps the search tool and its block when nothing is hidden any more', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const before = await session.turn(revealed())
    await session.load(['git_log', 'git_diff', 'mail_send'])
    const after = await session.turn(revealed('git_log', 'git_diff', 'mail_send'))
    expect(after.hidden).toBe(0)
    expect({ tools: after.tools, system: after.system }).toEqual({
      tools: before.tools,
      system: before.system,
    })
  })

  it('keeps what was listed before deferral began', async () => {
    const toolSearch = createToolSearch({ tools, activation: { toolCount: 4 } })
    const session = await toolSearch.session('a')
    const before = await session.turn(revealed())
    toolSearch.catalogue.add([{ name: 'late', description: 'Comes late' }])
    const after = await session.turn(revealed())
    expect(names(after)).toEqual(['tool_search', ...names(before)])
    expect(after.deferred.map(({ name }) => name)).toEqual(['late'])
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'x' } })).toBeUndefined()
  })

  it('has last what it may take back, from the first turn on', async () => {
    const session = await createToolSearch({ tools, activation: { usageShare: 0.1 } }).session('a')
    const appendOnly = {}
    const first = names(await session.turn({ appendOnly }))
    expect(first).toEqual(['shell', 'git_log', 'git_diff', 'mail_send'])
    await session.answer({ name: 'git_log', arguments: { branch: 'main' } })
    expect(names(await session.turn({ appendOnly }))).toEqual(first)
    const later = await session.turn({ appendOnly, usedTokens: 20_000 })
    expect(names(later)).toEqual(['tool_search', 'shell', 'git_log'])
  })

  it('hides what was listed when room becomes scarce', async () => {
    const session = await createToolSearch({
      tools,
      activation: { usageShare: 0.5 },
      contextWindow: 100,
    }).session('a')
    expect(names(await session.turn(revealed()))).toHaveLength(4)
    expect(names(await session.turn({ ...revealed(), usedTokens: 60 }))).toEqual([
      'tool_search',
      'shell',
    ])
  })

  it('offers the search while a server is still connecting', async () => {
    const toolSearch = createToolSearch({ tools: [shell] })
    const session = await toolSearch.session('a')
    expect(names(await session.turn(revealed()))).toEqual(['shell'])
    toolSearch.sources.set({ source: 'mcp:late', state: 'connecting' })
    expect(names(await session.turn(revealed()))).toEqual(['tool_search', 'shell'])
  })
})
