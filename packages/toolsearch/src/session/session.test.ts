import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  createMemoryStore,
  createToolSearch,
  resultFormat,
  type Session,
  type SessionStore,
  type ToolDefinition,
  type ToolSearch,
  type Turn,
} from '../index.ts'
import { allPresets } from '../presets/all-presets.fixtures.ts'

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
/** The turn without the comparison to the turn before it. */
const requestOf = ({ isListExtended: _, ...request }: Turn) => JSON.stringify(request)

/** A store that collects the records it writes. */
function watchedStore(): SessionStore & { writes: unknown[] } {
  const memory = createMemoryStore()
  const writes: unknown[] = []
  return {
    ...memory,
    writes,
    update: (id, change) =>
      memory.update(id, (before) => {
        const after = change(before)
        if (after !== before) writes.push(after)
        return after
      }),
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

  it('writes to the store only if something changed', async () => {
    const store = watchedStore()
    const session = await createToolSearch({ tools, store, ...always }).session('a')
    const first = await session.turn()
    expect(store.writes).toHaveLength(1)
    expect(await session.turn()).toEqual(first)
    expect(await session.turn()).toEqual(first)
    expect(store.writes).toHaveLength(1)
  })

  it('writes nothing if nothing can be deferred', async () => {
    const store = watchedStore()
    const session = await createToolSearch({ tools: [shell], store, ...always }).session('a')
    await session.turn()
    expect(store.writes).toEqual([])
  })

  it('writes nothing if nothing is deferred', async () => {
    const store = watchedStore()
    const session = await createToolSearch({ tools, store, activation: 'never' }).session('a')
    await session.turn()
    await session.turn({ canSearch: false })
    expect(store.writes).toEqual([])
  })

  it('defers nothing while the model cannot search, and resumes afterwards', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.search({ query: 'letter' })
    const before = await session.turn()
    const open = await session.turn({ canSearch: false })
    expect(names(open)).toEqual(['git_log', 'git_diff', 'mail_send', 'shell'])
    expect([open.hidden, open.system, open.notice]).toEqual([0, undefined, undefined])
    expect(await session.turn()).toEqual(before)
  })

  it('announces tools that were added while the model could not search', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    toolSearch.catalogue.add({ name: 'late' })
    expect((await session.turn({ canSearch: false })).notice).toBeUndefined()
    expect((await session.turn()).notice).toContain('- late')
    expect((await session.turn()).notice).toBeUndefined()
  })

  it('contains a forced tool', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const turn = await session.turn({ toolChoice: 'git_log' })
    expect(names(turn)).toEqual(['tool_search', 'shell', 'git_log'])
    expect(session.loaded).toEqual(['git_log'])
    expect(names(await session.turn())).toEqual(['tool_search', 'shell', 'git_log'])
  })

  it('contains a forced tool even if the session loads nothing', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    expect(names(await session.turn({ toolChoice: 'git_log' }))).toContain('git_log')
  })

  it('accepts a forced tool that is always on or does not exist', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    for (const toolChoice of ['shell', 'tool_search', 'nothing']) {
      expect(names(await session.turn({ toolChoice }))).toEqual(['tool_search', 'shell'])
    }
    expect(session.loaded).toEqual([])
  })
})

describe('session.turn: activation', () => {
  const many = Array.from({ length: 14 }, (_, index) => ({ name: `tool_${index}` }))

  it('starts deferral with the fifteenth tool and never stops it', async () => {
    const toolSearch = createToolSearch({ tools: many })
    const session = await toolSearch.session('a')
    expect(await session.turn()).toMatchObject({ hidden: 0 })
    toolSearch.catalogue.add({ name: 'tool_14' })
    expect(await session.turn()).toMatchObject({ hidden: 1 })
    toolSearch.catalogue.remove(many.slice(0, 12).map(({ name }) => name))
    expect(await session.turn()).toMatchObject({ hidden: 1 })
    const another = await toolSearch.session('b')
    expect(await another.turn()).toMatchObject({ hidden: 0 })
    const reopened = await toolSearch.session('a')
    expect(await reopened.turn()).toMatchObject({ hidden: 1 })
  })

  it('starts deferral when definitions fill 10% of the context window', async () => {
    const long = { name: 'long', description: 'word '.repeat(150) }
    const small = createToolSearch({ tools: [long], contextWindow: 1_000 })
    expect(await (await small.session('a')).turn()).toMatchObject({ hidden: 1 })
    const large = createToolSearch({ tools: [long], contextWindow: 10_000 })
    expect(await (await large.session('a')).turn()).toMatchObject({ hidden: 0 })
  })

  it('has a default context window of 200,000 tokens', async () => {
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

  it('starts deferral when the conversation fills 10% of the context window and never stops it', async () => {
    const activation = { usageShare: 0.1 }
    const session = await createToolSearch({ tools, activation }).session('a')
    expect(await session.turn()).toMatchObject({ hidden: 0 })
    expect(await session.turn({ usedTokens: 19_999 })).toMatchObject({ hidden: 0 })
    expect(await session.turn({ usedTokens: 20_000 })).toMatchObject({ hidden: 3 })
    expect(await session.turn({ usedTokens: 10 })).toMatchObject({ hidden: 3 })
  })

  it('keeps deferral active even for a single tool', async () => {
    const activation = { usageShare: 0.1 }
    const session = await createToolSearch({ tools: [log, shell], activation }).session('a')
    await session.turn({ usedTokens: 20_000 })
    expect(await session.turn()).toMatchObject({ hidden: 1 })
  })

  it('hides only tools that are always deferred, before deferral starts', async () => {
    const asked: ToolDefinition[] = [...many.slice(0, 3), { name: 'rare', loading: 'deferred' }]
    const toolSearch = createToolSearch({ tools: asked, activation: { toolCount: 15 } })
    const session = await toolSearch.session('a')
    const turn = await session.turn()
    expect(names(turn)).toEqual(['tool_search', 'tool_0', 'tool_1', 'tool_2'])
    expect(turn.system).toContain('- rare')
    expect((await session.snapshot()).record.active).toBe(false)
  })

  it('defers nothing with activation "never", not even on request', async () => {
    const asked: ToolDefinition[] = [...tools, { name: 'rare', loading: 'deferred' }]
    const session = await createToolSearch({ tools: asked, activation: 'never' }).session('a')
    const turn = await session.turn()
    expect(turn).toMatchObject({ hidden: 0 })
    expect(names(turn)).toContain('rare')
  })

  it('keeps sending a tool that was used before deferral started', async () => {
    const session = await createToolSearch({ tools, activation: { usageShare: 0.1 } }).session('a')
    await session.turn()
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'main' } })).toMatchObject({
      kind: 'run',
    })
    const turn = await session.turn({ usedTokens: 30_000 })
    expect(names(turn)).toEqual(['tool_search', 'shell', 'git_log'])
  })
})

describe('session.turn: tools added and removed', () => {
  it('only appends to the tools it sent', async () => {
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

  it('keeps the order of other tools when a tool is removed and added again', async () => {
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

  it('sends a changed definition in the same place', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.load(['git_log', 'git_diff'])
    const before = await session.turn()
    toolSearch.catalogue.add({ ...log, description: 'New words' }, { duplicates: 'replace' })
    const after = await session.turn()
    expect(names(after)).toEqual(names(before))
    expect(after.tools[2]).toMatchObject({ name: 'git_log', description: 'New words' })
  })

  it('announces each addition and removal without changing the system block', async () => {
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

  it('does not announce a tool that was both added and removed between two turns', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.turn()
    toolSearch.catalogue.add({ name: 'late' })
    toolSearch.catalogue.remove('late')
    expect((await session.turn()).notice).toBeUndefined()
  })

  it('keeps the search tool and the system block while nothing is hidden, once something was', async () => {
    const toolSearch = createToolSearch({ tools: [shell, log], ...always })
    const session = await toolSearch.session('a')
    const before = await session.turn()
    toolSearch.catalogue.remove('git_log')
    const without = await session.turn()
    expect([without.tools, without.system]).toEqual([before.tools, before.system])
    expect(without).toMatchObject({ hidden: 0, notice: expect.stringContaining('git_log') })
    toolSearch.catalogue.add(log)
    const again = await session.turn()
    expect([again.tools, again.system]).toEqual([before.tools, before.system])
    const other = await createToolSearch({ tools: [shell], ...always }).session('b')
    expect(names(await other.turn())).toEqual(['shell'])
  })
})

describe('session.search', () => {
  it('loads the hits in order for the next turn', async () => {
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

  it('accepts arguments as JSON text', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const answer = await session.answer({
      name: 'tool_search',
      arguments: '{"query":"select:git_log"}',
    })
    expect(answer).toMatchObject({ kind: 'answered', reason: 'search', isError: false })
    expect(session.loaded).toEqual(['git_log'])
  })

  it('reports an already loaded tool and does not write it again', async () => {
    const store = watchedStore()
    const session = await createToolSearch({ tools, store, ...always }).session('a')
    await session.search({ query: 'select:git_log' })
    const writes = store.writes.length
    const { outcome, answer } = await session.search({ query: 'git_log' })
    expect(outcome.hits[0]?.status).toBe('already-loaded')
    expect(answer.data).toMatchObject({ already_loaded: ['git_log'] })
    expect(store.writes).toHaveLength(writes)
  })

  it('reloads a tool with a changed definition in the same place', async () => {
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

  it('loads nothing if the search was refused', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    for (const input of [{ query: ' ' }, {}, undefined, '{"query":', { query: 7 }]) {
      const { outcome, answer } = await session.search(input)
      expect(outcome.problem).toBeDefined()
      expect(outcome.hits).toEqual([])
      expect(answer.isError).toBe(true)
    }
    expect(session.loaded).toEqual([])
  })

  it('returns hits without loading them in loading mode "none"', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    const { outcome } = await session.search({ query: 'select:git_log' })
    expect(outcome.hits[0]?.status).toBe('found')
    expect(outcome.remaining).toBe(3)
    expect(session.loaded).toEqual([])
    expect(names(await session.turn())).toEqual(['tool_search', 'shell'])
  })

  it('does not load always-on tools', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const { outcome } = await session.search({ query: 'select:shell' })
    expect(outcome.hits[0]?.status).toBe('always-on')
    expect(session.loaded).toEqual([])
  })

  it('loads the hits of both of two concurrent searches', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await Promise.all([
      session.search({ query: 'select:git_log' }),
      session.search({ query: 'select:git_diff,mail_send' }),
    ])
    expect(session.loaded).toEqual(['git_log', 'git_diff', 'mail_send'])
  })
})

describe('a search and the store', () => {
  it.each([
    ['session.search', (session: Session) => session.search({ query: 'git_log' })],
    [
      'session.answer',
      (session: Session) =>
        session.answer({ name: 'tool_search', arguments: { query: 'git_log' } }),
    ],
  ])('%s reads the record once and writes it once', async (_, search) => {
    const memory = createMemoryStore()
    const steps: string[] = []
    const store: SessionStore = {
      ...memory,
      read(id) {
        steps.push('read')
        return memory.read(id)
      },
      update(id, change) {
        steps.push('update')
        return memory.update(id, change)
      },
    }
    const session = await createToolSearch({ tools, store, ...always }).session('a')
    await session.turn()
    steps.length = 0
    await search(session)
    expect(session.loaded).toEqual(['git_log'])
    expect(steps).toEqual(['read', 'update'])
  })
})

describe('session.search: rate limit', () => {
  it('refuses searches beyond the limit until the window has passed', async () => {
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
          'Session "chat-7" has reached the limit of 2 searches in 60 s. Use the tools you already found, or search again later.',
      },
    })
    expect(answer.isError).toBe(true)
    expect(session.loaded).toEqual(['git_log', 'git_diff'])
    const other = await toolSearch.session('chat-8')
    expect((await other.search({ query: 'select:mail_send' })).outcome.problem).toBeUndefined()
    now = 60_000
    expect((await session.search({ query: 'select:mail_send' })).outcome.problem).toBeUndefined()
  })

  it('has no limit by default', async () => {
    const session = await createToolSearch({ tools, now: () => 0, ...always }).session('a')
    for (let i = 0; i < 50; i++) {
      expect((await session.search({ query: `history ${i}` })).outcome.problem).toBeUndefined()
    }
  })

  it('does not count a search with invalid arguments', async () => {
    const rateLimit = { calls: 1, windowMs: 60_000 }
    const session = await createToolSearch({ tools, rateLimit, now: () => 0, ...always }).session(
      'a',
    )
    await session.search({ query: '' })
    await session.search({})
    expect((await session.search({ query: 'history' })).outcome.problem).toBeUndefined()
  })
})

describe('session.search: repeated searches', () => {
  it('counts repetitions if nothing has changed', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    expect((await session.search({ query: 'history' })).outcome.repeats).toBe(0)
    const { outcome, answer } = await session.search({ query: 'history' })
    expect(outcome.repeats).toBe(1)
    expect(answer.text).toContain('nothing has changed since')
  })

  it.each<[string, (here: { toolSearch: ToolSearch; session: Session }) => unknown]>([
    ['a tool was added', ({ toolSearch }) => toolSearch.catalogue.add({ name: 'new' })],
    ['a tool was removed', ({ toolSearch }) => toolSearch.catalogue.remove('mail_send')],
    ['a tool was loaded', ({ session }) => session.load(['mail_send'])],
    [
      'a server started to connect',
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
    ['the loaded tools were rebuilt from the history', ({ session }) => session.rebuild([])],
  ])('does not count a repetition after %s', async (_, change) => {
    const here = await world()
    await here.session.search({ query: 'history' })
    await change(here)
    const { outcome, answer } = await here.session.search({ query: 'history' })
    expect(outcome.repeats).toBe(0)
    expect(answer.text).not.toContain('nothing has changed')
  })

  it('does not count a search with a different limit or different words as a repetition', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.search({ query: 'history' })
    expect((await session.search({ query: 'history', max_results: 9 })).outcome.repeats).toBe(0)
    expect((await session.search({ query: 'histories' })).outcome.repeats).toBe(0)
    const { outcome } = await session.search({ query: 'histories' }, { limit: 9 })
    expect(outcome.repeats).toBe(0)
  })

  async function world(): Promise<{ toolSearch: ToolSearch; session: Session }> {
    const toolSearch = createToolSearch({ tools, loading: 'until-compaction', ...always })
    toolSearch.sources.set({ source: 'mcp:hub', state: 'connecting' })
    return { toolSearch, session: await toolSearch.session('a') }
  }
})

describe('session.answer', () => {
  it('leaves a valid call to a loaded tool to the caller', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    await session.load(['git_log'])
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'x' } })).toMatchObject({
      kind: 'run',
    })
    expect(await session.answer({ name: 'shell', arguments: '{}' })).toMatchObject({ kind: 'run' })
  })

  it('answers a call to a hidden tool with its schema and loads it', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    const call = { name: 'git_log', arguments: { branch: 'main' } }
    const answer = await session.answer(call)
    expect(answer).toMatchObject({ isError: true, data: { inputSchema: log.inputSchema } })
    expect(names(await session.turn())).toContain('git_log')
    expect(await session.answer(call)).toMatchObject({ kind: 'run' })
  })

  it('answers a call to a hidden tool in a session that was just reopened', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    await (await toolSearch.session('a')).turn()
    const session = await toolSearch.session('a')
    const answer = await session.answer({ name: 'git_log', arguments: { branch: 'main' } })
    expect(answer).toMatchObject({ isError: true, data: { name: 'git_log' } })
  })

  it('allows a call to a hidden tool if configured to, and loads it', async () => {
    const session = await createToolSearch({ tools, unloadedCalls: 'allow', ...always }).session(
      'a',
    )
    await session.turn()
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'x' } })).toMatchObject({
      kind: 'run',
    })
    expect(session.loaded).toEqual(['git_log'])
  })

  it('allows a call to a found tool if the session loads nothing', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    await session.turn()
    await session.search({ query: 'select:git_log' })
    const call = { name: 'git_log', arguments: { branch: 'main' } }
    await session.answer(call)
    await session.turn()
    expect(await session.answer(call)).toMatchObject({ kind: 'run' })
  })

  it('answers invalid arguments with the problems', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.load(['git_log'])
    const answer = await session.answer({ name: 'git_log', arguments: {} })
    expect(answer).toMatchObject({
      isError: true,
      data: { problems: ['"branch" is required'], inputSchema: log.inputSchema },
    })
  })

  it('answers a call to an unknown tool with similar names', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const answer = await session.answer({ name: 'git_lgo', arguments: {} })
    expect(answer).toMatchObject({ isError: true, data: { closest: ['git_log', 'git_diff'] } })
    expect(session.loaded).toEqual([])
  })

  it('answers calls to a renamed search tool', async () => {
    const searchTool = { name: 'FindTools' }
    const session = await createToolSearch({ tools, searchTool, ...always }).session('a')
    expect(names(await session.turn())[0]).toBe('FindTools')
    const answer = await session.answer({ name: 'FindTools', arguments: { query: 'git_log' } })
    expect(answer).toMatchObject({ kind: 'answered', reason: 'search', isError: false })
    expect(session.loaded).toEqual(['git_log'])
    expect(await session.answer({ name: 'tool_search', arguments: {} })).toMatchObject({
      isError: true,
    })
  })

  it('treats all tools as loaded after a request that contained all of them', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn({ canSearch: false })
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'x' } })).toMatchObject({
      kind: 'run',
    })
    await session.turn()
    expect(await session.answer({ name: 'git_diff' })).toMatchObject({ kind: 'run' })
    expect(await session.answer({ name: 'git_log', arguments: {} })).toMatchObject({
      data: { problems: ['"branch" is required'] },
    })
  })
})

describe('session.load', () => {
  it('loads visible deferrable tools and returns the new names', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    expect(await session.load(['git_diff', 'shell', 'nothing', 'git_log'])).toEqual([
      'git_diff',
      'git_log',
    ])
    expect(await session.load(['git_log', 'mail_send'])).toEqual(['mail_send'])
    expect(session.loaded).toEqual(['git_diff', 'git_log', 'mail_send'])
  })

  it('loads nothing in loading mode "none"', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    expect(await session.load(['git_log'])).toEqual([])
  })
})

describe('session.compacted', () => {
  it('keeps loaded tools in order if sticky, and announces the tools again', async () => {
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
    expect(after.system).toContain('- git_diff\n- git_log\n- late\n- mail_send')
    expect(after.notice).toBeUndefined()
  })

  it('unloads tools with loading "until-compaction"', async () => {
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

  it('does not turn deferral off', async () => {
    const session = await createToolSearch({ tools, activation: { usageShare: 0.1 } }).session('a')
    await session.turn({ usedTokens: 100_000 })
    await session.compacted()
    expect(await session.turn({ usedTokens: 100 })).toMatchObject({ hidden: 3 })
  })
})

/** A message of Anthropic with the result of a search. */
function references(...names: string[]) {
  const content = names.map((tool_name) => ({ type: 'tool_reference', tool_name }))
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: '1', content }] }
}

describe('session.rebuild', () => {
  it('replaces the loaded tools with those in the messages', async () => {
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

  it('loads a tool once if the messages contain it under two names', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const messages = [references('git-log', 'git_log')]
    const nameOf = (name: string) => name.replace('-', '_')
    expect(await session.rebuild(messages, { nameOf })).toEqual(['git_log'])
  })

  it('leaves the next turn byte-identical', async () => {
    const first = await createToolSearch({ tools, ...always }).session('a')
    await first.turn()
    const { answer } = await first.search({ query: 'select:mail_send,git_log' })
    const messages = [
      { content: [{ type: 'tool_use', id: '1', name: 'tool_search', input: {} }] },
      { content: [{ type: 'tool_result', tool_use_id: '1', content: answer.text }] },
    ]
    const second = await createToolSearch({ tools, ...always }).session('a')
    await second.rebuild(messages)
    expect(requestOf(await second.turn())).toBe(requestOf(await first.turn()))
  })

  it('does not load tools that the caller may not use', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible: ['git_log', 'shell'] })
    const messages = [references('mail_send', 'git_log')]
    expect(await session.rebuild(messages)).toEqual(['git_log'])
  })

  it('loads nothing in loading mode "none"', async () => {
    const session = await createToolSearch({ tools, loading: 'none', ...always }).session('a')
    const messages = [{ content: [{ type: 'tool_use', id: '1', name: 'git_log', input: {} }] }]
    expect(await session.rebuild(messages)).toEqual([])
  })

  it('writes the result to the store', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a')
    await session.rebuild([
      { content: [{ type: 'tool_use', id: '1', name: 'git_log', input: {} }] },
    ])
    expect((await toolSearch.session('a')).loaded).toEqual(['git_log'])
  })

  it.each(allPresets.filter(({ loading }) => loading !== 'none'))(
    'finds the tools that searches of $preset loaded in a transcript',
    async (preset) => {
      const deferred = [log, diff, mail].map((tool) => ({ ...tool, loading: 'deferred' }) as const)
      const toolSearch = createToolSearch({ tools: [...deferred, shell], preset, ...always })
      const session = await toolSearch.session('a')
      await session.turn()
      const messages: unknown[] = []
      for (const [index, query] of ['history of a branch', 'send letter', 'branch'].entries()) {
        const call = { name: preset.searchTool.name, arguments: JSON.stringify({ query }) }
        const { answer } = await session.search(call.arguments)
        messages.push(
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `call_${index}`, type: 'function', function: call }],
          },
          { role: 'tool', tool_call_id: `call_${index}`, content: answer.text },
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

  it('finds tools in a transcript whose details were omitted to save tokens', async () => {
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
  it('continues the conversation with exactly these tools', async () => {
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

  it('keeps an allow-list that was passed as a generator', async () => {
    function* allowed() {
      yield 'git_log'
    }
    const toolSearch = createToolSearch({ tools: [log, shell], ...always })
    const session = await toolSearch.session('a', { visible: allowed() })
    const own = session.withTools([log, shell])
    expect(own.tools().map(({ name }) => name)).toEqual(['git_log'])
  })

  it('completes definitions with the fields of shared tools and leaves the shared catalogue alone', async () => {
    const hinted: ToolDefinition = { ...log, searchHint: 'annals', loading: 'deferred' }
    const toolSearch = createToolSearch({ tools: [hinted, shell] })
    const { version } = toolSearch.catalogue
    const session = await toolSearch.session('a')
    const changed = { name: 'git_log', description: 'Shows commits', searchHint: undefined }
    const own = session.withTools([changed, mail, shell])
    expect(own.tool('git_log')).toMatchObject({
      description: 'Shows commits',
      inputSchema: log.inputSchema,
      searchHint: 'annals',
      loading: 'deferred',
    })
    expect(own.tool('shell')).toBe(toolSearch.catalogue.get('shell'))
    expect(toolSearch.catalogue.version).toBe(version)
    expect(session.tool('git_log')?.description).toBe(log.description)
    expect(session.tool('mail_send')).toBeUndefined()
  })

  it('validates calls with the schema of a definition, not with the one it replaces', async () => {
    const zoom = { name: 'zoom', inputSchema: z.object({ level: z.number() }) }
    const session = await createToolSearch({ tools: [zoom] }).session('a')
    const inputSchema = { type: 'object', properties: { level: { type: 'string' } } }
    const changed = session.withTools([{ name: 'zoom', inputSchema }])
    const described = session.withTools([{ name: 'zoom', description: 'Zooms in' }])
    const call = { name: 'zoom', arguments: { level: 'high' } }
    expect(await changed.answer(call)).toMatchObject({ kind: 'run' })
    expect(await described.answer(call)).toMatchObject({ reason: 'invalid-arguments' })
  })

  it('replaces metadata under either of its names', async () => {
    const session = await createToolSearch({
      tools: [{ ...log, metadata: { owner: 'us', kept: true } }],
    }).session('a')
    for (const key of ['metadata', '_meta']) {
      const own = session.withTools([{ name: 'git_log', [key]: { owner: 'them' } }])
      expect(own.tool('git_log')?.metadata).toEqual({ owner: 'them' })
    }
  })

  it('says which definition is not an object', async () => {
    const session = await createToolSearch().session('a')
    expect(() => session.withTools([log, null as never])).toThrow(
      'The tool at index 1 must be an object, got null',
    )
  })

  it('does not show tools the caller may not see', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible: ['git_log', 'shell'] })
    const own = session.withTools([log, mail])
    const turn = await own.turn()
    expect(own.tools().map(({ name }) => name)).toEqual(['git_log'])
    expect(JSON.stringify(turn)).not.toContain('mail_send')
    expect(turn.hidden).toBe(1)
  })

  it('announces tools that change between requests without changing the system block', async () => {
    const session = await createToolSearch({ ...always }).session('a')
    const first = await session.withTools([log, diff]).turn()
    const second = await session.withTools([log, mail]).turn()
    expect(second.system).toBe(first.system)
    expect(second.notice).toContain('mail_send')
    expect(second.notice).toContain('git_diff')
  })
})

describe('session.fork', () => {
  it('gives a subagent its own session without the loaded tools', async () => {
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

  it('can share the loaded tools with a subagent, which is then independent', async () => {
    const parent = await createToolSearch({ tools, ...always }).session('a')
    await parent.turn()
    await parent.load(['mail_send', 'git_log'])
    const before = await parent.turn()
    const child = await parent.fork('a/1', { loaded: true })
    expect(requestOf(await child.turn())).toBe(requestOf(before))
    await parent.load(['git_diff'])
    expect(child.loaded).toEqual(['mail_send', 'git_log'])
  })

  it('does not show a subagent more than its parent may see', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    toolSearch.sources.set({ source: 'mcp:vault', state: 'failed' })
    const parent = await toolSearch.session('a', { visible: ['git_log'] })
    const child = await parent.fork('a/1')
    const visibleTexts = [
      await child.turn(),
      await child.turn({ canSearch: false }),
      await child.search({ query: 'letter' }),
      await child.answer({ name: 'mail_sent' }),
      await child.load(['mail_send']),
    ]
    expect(JSON.stringify(visibleTexts)).not.toMatch(/mail_send|vault/)
  })

  it('keeps deferral active for a subagent', async () => {
    const parent = await createToolSearch({ tools, activation: { usageShare: 0.1 } }).session('a')
    await parent.turn({ usedTokens: 100_000 })
    const child = await parent.fork('a/1')
    expect(await child.turn()).toMatchObject({ hidden: 3 })
  })

  it('has its own rate limit', async () => {
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
  it('returns plain JSON with a version', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.turn()
    await session.load(['git_log'])
    const snapshot = await session.snapshot()
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot)
    expect(snapshot).toMatchObject({
      version: 2,
      id: 'a',
      record: { active: true, loaded: [{ name: 'git_log' }], sent: ['shell'] },
    })
  })

  it('does not change when the session does', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    const before = await session.snapshot()
    await session.load(['git_log'])
    expect(before.record.loaded).toEqual([])
  })
})

describe('session.report', () => {
  it('compares the tokens of a turn with sending every tool', async () => {
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

  it('does not count tools the caller may not see', async () => {
    const toolSearch = createToolSearch({ tools, ...always })
    const session = await toolSearch.session('a', { visible: ['git_log', 'shell'] })
    const report = session.report(await session.turn())
    expect(report.sources).toEqual([{ source: 'builtin', tools: 2, tokens: report.eager }])
  })
})

describe('session.turn: append-only', () => {
  const revealed = (...list: string[]) => ({ appendOnly: { revealed: new Set(list) } })

  it('does not list a loaded tool that the messages reveal', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.load(['git_log'])
    const turn = await session.turn(revealed('git_log'))
    expect(names(turn)).toEqual(['tool_search', 'shell'])
    expect(turn.deferred.map(({ name }) => name)).toEqual(['git_log', 'git_diff', 'mail_send'])
  })

  it('lists a loaded tool that the messages do not reveal, and keeps it listed', async () => {
    const session = await createToolSearch({ tools, ...always }).session('a')
    await session.load(['git_log'])
    expect(names(await session.turn(revealed()))).toEqual(['tool_search', 'shell', 'git_log'])
    expect(names(await session.turn(revealed('git_log')))).toEqual([
      'tool_search',
      'shell',
      'git_log',
    ])
  })

  it('keeps the search tool and its block even if nothing is hidden anymore', async () => {
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

  it('keeps tools that were listed before deferral started', async () => {
    const toolSearch = createToolSearch({ tools, activation: { toolCount: 4 } })
    const session = await toolSearch.session('a')
    const before = await session.turn(revealed())
    toolSearch.catalogue.add([{ name: 'late', description: 'Comes late' }])
    const after = await session.turn(revealed())
    expect(names(after)).toEqual(['tool_search', ...names(before)])
    expect(after.deferred.map(({ name }) => name)).toEqual(['late'])
    expect(await session.answer({ name: 'git_log', arguments: { branch: 'x' } })).toMatchObject({
      kind: 'run',
    })
  })

  it('lists tools that may be hidden later last, from the first turn on', async () => {
    const session = await createToolSearch({ tools, activation: { usageShare: 0.1 } }).session('a')
    const appendOnly = {}
    const first = names(await session.turn({ appendOnly }))
    expect(first).toEqual(['shell', 'git_log', 'git_diff', 'mail_send'])
    await session.answer({ name: 'git_log', arguments: { branch: 'main' } })
    expect(names(await session.turn({ appendOnly }))).toEqual(first)
    const later = await session.turn({ appendOnly, usedTokens: 20_000 })
    expect(names(later)).toEqual(['tool_search', 'shell', 'git_log'])
  })

  it('hides listed tools when the conversation fills the context window', async () => {
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

  it('offers the search tool while a server is still connecting', async () => {
    const toolSearch = createToolSearch({ tools: [shell] })
    const session = await toolSearch.session('a')
    expect(names(await session.turn(revealed()))).toEqual(['shell'])
    toolSearch.sources.set({ source: 'mcp:late', state: 'connecting' })
    expect(names(await session.turn(revealed()))).toEqual(['tool_search', 'shell'])
  })
})
