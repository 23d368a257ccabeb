import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../catalogue/tool.ts'
import { cortex } from '../presets/cortex/cortex.ts'
import { createToolSearch, type ToolSearchOptions } from '../toolsearch.ts'
import type { ToolSearchEvents } from './events.ts'

const tools: readonly ToolDefinition[] = [
  { name: 'git_log', description: 'Shows the history.', execute: () => 'log' },
  { name: 'git_diff', description: 'Shows changes.' },
]
const always = { activation: 'always', tools } satisfies ToolSearchOptions
const search = (query: string) => ({ name: 'tool_search', arguments: { query } })

/** Handlers that write what they get into a list. */
function recorder(prefix = '') {
  const log: string[] = []
  const events: Required<ToolSearchEvents> = {
    onSearch: ({ sessionId, outcome, answer }) => {
      const names = outcome.hits.map(({ tool }) => tool.name)
      log.push(`${prefix}${sessionId} search ${outcome.query}: ${names} ${answer.isError}`)
    },
    onLoaded: ({ sessionId, tools: loaded, by }) => {
      log.push(`${prefix}${sessionId} loaded ${loaded.map(({ name }) => name)} by ${by}`)
    },
    onCall: ({ sessionId, call, result }) => {
      const reason = result.kind === 'answered' ? `${result.kind} ${result.reason}` : result.kind
      log.push(`${prefix}${sessionId} call ${call.name}: ${reason}`)
    },
    onRemoved: ({ sessionId, names }) => {
      log.push(`${prefix}${sessionId} removed ${names}`)
    },
  }
  return { log, events }
}

async function open(options: ToolSearchOptions = always) {
  const { log, events } = recorder()
  const toolSearch = createToolSearch(options)
  const session = await toolSearch.session('a', events)
  await session.turn()
  return { toolSearch, session, log }
}

describe('events of a session', () => {
  it('reports a search, then what it loaded, then the call', async () => {
    const { session, log } = await open()
    await session.run(search('select:git_log'))
    expect(log).toEqual([
      'a search select:git_log: git_log false',
      'a loaded git_log by search',
      'a call tool_search: answered search',
    ])
  })

  it('reports only tools that were not loaded before', async () => {
    const { session, log } = await open()
    await session.search({ query: 'select:git_log' })
    log.length = 0
    await session.search({ query: 'select:git_log' })
    await session.load(['git_log'])
    expect(log).toEqual(['a search select:git_log: git_log false'])
  })

  it('reports a refused search', async () => {
    const { session, log } = await open({ ...always, rateLimit: { calls: 1, windowMs: 60_000 } })
    await session.search({ query: 'select:git_log' })
    log.length = 0
    await session.search({ query: 'select:git_diff' })
    expect(log).toEqual(['a search select:git_diff:  true'])
  })

  it('reports tools loaded by a call, by load() and by a tool choice', async () => {
    const { session, log } = await open()
    await session.answer({ name: 'git_log' })
    await session.load(['git_diff'])
    expect(log).toEqual([
      'a loaded git_log by call',
      'a call git_log: answered not-loaded',
      'a loaded git_diff by load',
    ])
    const other = await open()
    await other.session.turn({ toolChoice: 'git_diff' })
    expect(other.log).toEqual(['a loaded git_diff by load'])
  })

  it('reports tools loaded by rebuild(), unless they were loaded already', async () => {
    const { session, log } = await open()
    await session.load(['git_log'])
    log.length = 0
    const calls = ['git_log', 'git_diff'].map((name) => ({
      type: 'tool_use',
      id: name,
      name,
      input: {},
    }))
    await session.rebuild([{ role: 'assistant', content: calls }])
    expect(log).toEqual(['a loaded git_diff by rebuild'])
  })

  it('reports each call once: answered, executed, or to be run by the program', async () => {
    const { session, log } = await open({ tools })
    await session.run([{ name: 'git_log' }, { name: 'git_diff' }, { name: 'git' }])
    expect(log.filter((line) => line.includes(' call '))).toEqual([
      'a call git_diff: run',
      'a call git: answered unknown-tool',
      'a call git_log: executed',
    ])
  })

  it('reports a call that answer() returned again when execute() ran it', async () => {
    const { session, log } = await open({ tools, activation: 'never' })
    const result = await session.answer({ name: 'git_log' })
    if (result.kind === 'run') await session.execute(result)
    expect(log).toEqual(['a call git_log: run', 'a call git_log: executed'])
  })

  it('stores the change before the handlers run', async () => {
    const toolSearch = createToolSearch(always)
    const loaded: unknown[] = []
    const session = await toolSearch.session('a', {
      onLoaded: async () => {
        loaded.push(session.loaded, (await toolSearch.session('a')).loaded)
      },
    })
    await session.load(['git_log'])
    expect(loaded).toEqual([['git_log'], ['git_log']])
  })

  it('waits for a handler that returns a promise', async () => {
    let isDone = false
    const session = await createToolSearch(always).session('a', {
      onLoaded: async () => {
        await new Promise((resolve) => setImmediate(resolve))
        isDone = true
      },
    })
    await session.search({ query: 'select:git_log' })
    expect(isDone).toBe(true)
  })

  it('lets a handler search and load', async () => {
    const session = await createToolSearch(always).session('a', {
      onSearch: async ({ outcome }) => {
        if (outcome.query === 'select:git_log') await session.search({ query: 'select:git_diff' })
      },
    })
    await session.search({ query: 'select:git_log' })
    expect(session.loaded).toEqual(['git_log', 'git_diff'])
  })

  it("calls the session's handler before the one for all conversations", async () => {
    const own = recorder('own ')
    const all = recorder('all ')
    const log: string[] = []
    own.log.push = all.log.push = (line) => log.push(line)
    const toolSearch = createToolSearch({ ...always, ...all.events })
    const session = await toolSearch.session('a', own.events)
    await session.load(['git_log'])
    await (await toolSearch.session('b')).load(['git_log'])
    expect(log).toEqual([
      'own a loaded git_log by load',
      'all a loaded git_log by load',
      'all b loaded git_log by load',
    ])
  })

  it('rejects with the first error after all handlers have run, and keeps the state', async () => {
    const log: string[] = []
    const fail = (name: string) => () => {
      log.push(name)
      throw new Error(name)
    }
    const toolSearch = createToolSearch({ ...always, onLoaded: fail('all loaded') })
    const session = await toolSearch.session('a', {
      onSearch: fail('search'),
      onLoaded: async () => fail('loaded')(),
      onCall: fail('call'),
    })
    await expect(session.run(search('select:git_log'))).rejects.toThrow('search')
    expect(log).toEqual(['search', 'loaded', 'all loaded', 'call'])
    expect(session.loaded).toEqual(['git_log'])
  })

  it('executes all calls even if a handler throws', async () => {
    const ran: unknown[] = []
    const execute = ({ n }: Record<string, unknown>) => ran.push(n)
    const toolSearch = createToolSearch({
      tools: [{ name: 'a', execute, execution: 'sequential' }],
    })
    const session = await toolSearch.session('a', {
      onCall: () => {
        throw new Error('no disk space for the log')
      },
    })
    const calls = [1, 2].map((n) => ({ name: 'a', arguments: { n } }))
    await expect(session.run(calls)).rejects.toThrow('no disk space')
    expect(ran).toEqual([1, 2])
  })

  it('passes the handlers on to a fork and to a restored session', async () => {
    const { log, events } = recorder()
    const toolSearch = createToolSearch(always)
    const session = await toolSearch.session('a', events)
    await session.load(['git_log'])
    log.length = 0
    const fork = await session.fork('b', { loaded: true })
    expect(log).toEqual([])
    await fork.load(['git_diff'])
    const restored = await toolSearch.restore(await session.snapshot(), events)
    await restored.load(['git_diff'])
    expect(log).toEqual(['b loaded git_diff by load', 'a loaded git_diff by load'])
  })

  it("reports cortex's discoveries, like its onAfterDiscovery", async () => {
    const discovered: string[] = []
    const lazy = { name: 'Lazy', description: 'A lazy tool.', loading: 'deferred' } as const
    const toolSearch = createToolSearch({ preset: cortex, tools: [lazy] })
    const session = await toolSearch.session('a', {
      onLoaded: ({ tools: loaded }) => {
        discovered.push(...loaded.map(({ name }) => name))
      },
    })
    await session.turn()
    const call = { name: 'ToolSearch', arguments: { query: 'select:Lazy' } }
    await session.answer(call)
    await session.answer(call)
    expect(discovered).toEqual(['Lazy'])
  })
})

describe('onRemoved', () => {
  it('reports a loaded tool that left the catalogue, once', async () => {
    const { toolSearch, session, log } = await open()
    await session.load(['git_log', 'git_diff'])
    await session.turn()
    log.length = 0
    toolSearch.catalogue.remove(['git_log', 'git_diff'])
    await session.turn()
    await session.turn()
    expect(log).toEqual(['a removed git_log,git_diff'])
  })

  it('reports a tool that was loaded and removed between two turns', async () => {
    const { toolSearch, session, log } = await open()
    await session.load(['git_log'])
    toolSearch.catalogue.remove('git_log')
    log.length = 0
    await session.turn({ canSearch: false })
    expect(log).toEqual(['a removed git_log'])
  })

  it('does not report tools that were never loaded', async () => {
    const { toolSearch, session, log } = await open()
    toolSearch.catalogue.remove(['git_log'])
    await session.turn()
    expect(log).toEqual([])
  })

  it('reports a tool again if it came back and left again', async () => {
    const { toolSearch, session, log } = await open()
    await session.load(['git_log'])
    log.length = 0
    for (let round = 0; round < 2; round++) {
      toolSearch.catalogue.remove('git_log')
      await session.turn()
      toolSearch.catalogue.add(tools[0]!)
      await session.turn()
    }
    expect(log).toEqual(['a removed git_log', 'a removed git_log'])
  })

  it('reports a removal to a program that opens the session for each request', async () => {
    const { log, events } = recorder()
    const toolSearch = createToolSearch({ ...always, ...events })
    const reopen = () => toolSearch.session('a')
    await (await reopen()).load(['git_log'])
    await (await reopen()).turn()
    toolSearch.catalogue.remove('git_log')
    log.length = 0
    await (await reopen()).turn()
    await (await reopen()).turn()
    expect(log).toEqual(['a removed git_log'])
  })

  it('reports a loaded tool that the caller may no longer use', async () => {
    const { log, events } = recorder()
    const toolSearch = createToolSearch({ ...always, ...events })
    await (await toolSearch.session('a')).load(['git_log'])
    log.length = 0
    await (await toolSearch.session('a', { visible: ['git_diff'] })).turn()
    expect(log).toEqual(['a removed git_log'])
  })

  it('keeps the notice for the next turn if the handler throws', async () => {
    const toolSearch = createToolSearch(always)
    let isFailing = true
    const session = await toolSearch.session('a', {
      onRemoved: () => {
        if (isFailing) throw new Error('not now')
      },
    })
    await session.turn()
    await session.load(['git_log'])
    toolSearch.catalogue.remove('git_log')
    await expect(session.turn()).rejects.toThrow('not now')
    isFailing = false
    expect((await session.turn()).notice).toContain('git_log')
  })
})
