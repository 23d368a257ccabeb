import { describe, expect, it, vi } from 'vitest'
import { InvalidOptionError } from '../options/invalid-option-error.ts'
import { bm25Ranker } from '../ranking/bm25-ranker.ts'
import { createToolSearch, type ToolSearchOptions } from '../toolsearch.ts'
import { createLearning, type LearningOptions } from './learning.ts'
import type { LearningStore } from './learning-store.ts'
import { type Use, type UseFilter, useId } from './use.ts'

const DAY = 24 * 3_600_000
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

const TOOLS = [
  { name: 'stripe__create_refund', description: 'Refund a charge' },
  { name: 'stripe__list_charges', description: 'List charges of a customer' },
  { name: 'mail__send', description: 'Send a message to a person' },
  { name: 'files__read', description: 'Read the content of a file' },
  { name: 'files__write', description: 'Write content to a file' },
].map((tool) => ({ ...tool, execute: () => 'done' }))

function open(options: LearningOptions = {}, more: ToolSearchOptions = {}) {
  const learning = createLearning(options)
  const toolSearch = createToolSearch({ tools: TOOLS, activation: 'always', learning, ...more })
  return { learning, toolSearch }
}

type Opened = ReturnType<typeof open>

/** Someone searches, does not find the tool, asks for it by name and calls it. */
async function useTool(
  { toolSearch }: Opened,
  query: string,
  name: string,
  { person = 'ada' } = {},
) {
  const session = await toolSearch.session(`${person} ${query} ${name}`, { person })
  await session.run({ name: 'tool_search', arguments: { query } })
  await session.run({ name: 'tool_search', arguments: { query: `select:${name}` } })
  return session.run({ name, arguments: {} })
}

const found = ({ toolSearch }: Opened, query: string, person?: string) => {
  const options = { explain: true, ...(person !== undefined && { person }) }
  const { hits, candidates } = toolSearch.search(query, options)
  return [...hits, ...candidates].map(({ tool }) => tool.name)
}

describe('createLearning', () => {
  it('finds a tool by words that led to a successful call before', async () => {
    const opened = open()
    expect(found(opened, 'customer wants the money back')).not.toContain('stripe__create_refund')
    await useTool(opened, 'give the money back', 'stripe__create_refund')
    expect(found(opened, 'customer wants the money back')).toContain('stripe__create_refund')
  })

  it('explains what was learned', async () => {
    const now = () => 5 * DAY
    const opened = open({ now })
    await useTool(opened, 'give the money back', 'stripe__create_refund', { person: 'ada' })
    await useTool(opened, 'money back please', 'stripe__create_refund', { person: 'ben' })
    const { toolSearch } = opened
    const { hits, candidates } = toolSearch.search('money back', { explain: true })
    const hit = [...hits, ...candidates].find(({ tool }) => tool.name === 'stripe__create_refund')!
    const part = hit.parts!.find(({ match }) => match === 'learned')!
    expect(part).toMatchObject({ field: 'use', term: '2 similar requests', requests: 2 })
    expect(part.newest).toBe(5 * DAY)
    const sum = hit.parts!.reduce((total, { weight }) => total + weight, 0)
    expect(sum).toBeCloseTo(hit.score!)
    expect(toolSearch.explain('money back', 'stripe__create_refund').text).toContain(
      'used after 2 similar requests',
    )
  })

  /** The table in docs/learning.md. */
  it('moves a tool up with every person who uses it', async () => {
    const tools = [
      { name: 'create_refund', description: 'Refund a charge' },
      { name: 'back_up_database', description: 'Back up a database' },
      { name: 'money_transfer', description: 'Transfer money to another account' },
      { name: 'play_back', description: 'Play back a recording' },
      { name: 'send_mail', description: 'Send a message to a person' },
      { name: 'roll_back_service', description: 'Roll back a service to an earlier version' },
      { name: 'get_weather', description: 'Get the weather of a city' },
    ].map((tool) => ({ ...tool, execute: () => 'done' }))
    const opened = open({}, { tools })
    const query = 'give the money back'
    const placeFor = (person: string) => found(opened, query, person).indexOf('create_refund') + 1
    expect(placeFor('zoe')).toBe(0)
    const places = []
    for (const person of ['ada', 'ben', 'cleo']) {
      await useTool(opened, query, 'create_refund', { person })
      places.push(placeFor('zoe'))
      expect(placeFor('ada')).toBe(2)
    }
    expect(places).toEqual([5, 3, 2])
  })

  it('makes a search surer', async () => {
    const opened = open()
    const { toolSearch } = opened
    expect(toolSearch.search('the money back').confidence).toBe('low')
    for (const person of ['ada', 'ben', 'cleo']) {
      await useTool(opened, 'the money back', 'stripe__create_refund', { person })
    }
    const { confidence, hits } = toolSearch.search('the money back')
    expect(confidence).not.toBe('low')
    expect(hits[0]!.tool.name).toBe('stripe__create_refund')
  })

  it('adds nothing that one other person used to results that are sure', async () => {
    const query = 'list the charges of a customer'
    const store = mapStore()
    const { toolSearch, learning } = open({ store, now: () => DAY })
    const before = toolSearch.search(query)
    expect(before.confidence).toBe('high')
    const teach = async (person: string) => {
      const use = { tool: 'files__write', person, words: query }
      await store.add([{ ...use, id: useId(use), at: DAY, found: true }])
      await learning.refresh()
    }
    await teach('mallory')
    expect(await learning.uses()).toHaveLength(1)
    expect(toolSearch.search(query).hits).toEqual(before.hits)
    for (const person of ['ada', 'ben', 'cleo']) await teach(person)
    expect(toolSearch.search(query).hits.map(({ tool }) => tool.name)).toContain('files__write')
  })

  it('learns nothing from a call that fails, or without a search', async () => {
    const failing = TOOLS.map((tool) => ({
      ...tool,
      execute: () => {
        throw new Error('no')
      },
    }))
    const opened = open({}, { tools: failing })
    await useTool(opened, 'give the money back', 'stripe__create_refund')
    const session = await opened.toolSearch.session('no search')
    await session.load(['mail__send'])
    await session.run({ name: 'mail__send', arguments: {} })
    expect(await opened.learning.uses()).toEqual([])
  })

  it('counts a valid call of a tool that the program runs itself', async () => {
    const opened = open({}, { tools: TOOLS.map(({ execute: _, ...tool }) => tool) })
    await useTool(opened, 'give the money back', 'stripe__create_refund')
    expect(await opened.learning.uses()).toHaveLength(1)
  })

  it('does not mix up the searches of one reply', async () => {
    const { toolSearch, learning } = open()
    const session = await toolSearch.session('a')
    const search = (query: string) => ({ name: 'tool_search', arguments: { query } })
    await session.run([search('umbrella'), search('send message')])
    await session.run({ name: 'mail__send', arguments: {} })
    expect((await learning.uses()).map(({ words }) => words)).toEqual(['send message'])
    await session.run(search('tell somebody'))
    await session.run(search('send message to person'))
    await session.run({ name: 'mail__send', arguments: {} })
    expect((await learning.uses({ tool: 'mail__send' })).map(({ words }) => words)).toContain(
      'tell somebody',
    )
  })

  it('learns from an earlier search only if it probably was for the same thing', async () => {
    const { toolSearch, learning } = open()
    const session = await toolSearch.session('a')
    const search = (query: string) => ({ name: 'tool_search', arguments: { query } })
    const words = async () => (await learning.uses()).map((use) => use.words).sort()
    for (const query of ['umbrella', 'somebody else', 'tell somebody', 'send message']) {
      await session.run(search(query))
    }
    await session.run({ name: 'mail__send', arguments: {} })
    // The first one neither shares words with the others nor comes right before the last one.
    expect(await words()).toEqual(['send message', 'somebody else', 'tell somebody'])
    await learning.forget({})
    const other = await toolSearch.session('b')
    await other.load(['files__read'])
    await other.run(search('umbrella'))
    await other.run({ name: 'files__read', arguments: {} })
    await other.run(search('send message'))
    await other.run({ name: 'mail__send', arguments: {} })
    expect(await words()).toEqual(['send message'])
  })

  it('does not take the earlier of two unrelated searches for a miss', async () => {
    const { toolSearch, learning } = open()
    const search = (query: string) => ({ name: 'tool_search', arguments: { query } })
    const learned = async () =>
      (await learning.uses()).map(({ tool, words }) => `${words}: ${tool}`).sort()

    // The first one was sure of its hit.
    const sure = await toolSearch.session('sure')
    expect((await sure.search({ query: 'list charges' })).outcome.confidence).toBe('high')
    await sure.run(search('list charges'))
    await sure.run(search('send message'))
    await sure.run({ name: 'mail__send', arguments: {} })
    expect(await learned()).toEqual(['send message: mail__send'])
    await learning.forget({})

    // The first one was not sure, but its hit is called later.
    const unsure = await toolSearch.session('unsure')
    const { outcome } = await unsure.search({ query: 'content changes' })
    expect(outcome.confidence).not.toBe('high')
    await unsure.run(search('content changes'))
    await unsure.run(search('send message'))
    await unsure.run({ name: 'mail__send', arguments: {} })
    await unsure.run({ name: 'files__write', arguments: {} })
    expect(await learned()).toEqual(['content changes: files__write', 'send message: mail__send'])
  })

  it('stores no values of a request', async () => {
    const opened = open()
    await useTool(opened, 'refund 48151623 to ada@example.com', 'stripe__create_refund')
    const [use] = await opened.learning.uses()
    expect(use!.words).toBe('refund to')
  })

  it('forgets with time', async () => {
    let time = 0
    const opened = open({ now: () => time })
    const score = () => {
      const { hits, candidates } = opened.toolSearch.search('money back')
      return [...hits, ...candidates].find(({ tool }) => tool.name === 'stripe__create_refund')
        ?.score
    }
    await useTool(opened, 'money back', 'stripe__create_refund')
    const fresh = score()!
    time = 30 * DAY
    expect(score()).toBeLessThan(fresh)
    time = 400 * DAY
    expect(score()).toBeUndefined()
  })

  it('forgets on request', async () => {
    const opened = open()
    const { learning } = opened
    await useTool(opened, 'money back', 'stripe__create_refund', { person: 'ada' })
    await useTool(opened, 'money back', 'stripe__create_refund', { person: 'ben' })
    await useTool(opened, 'tell somebody', 'mail__send', { person: 'ben' })
    expect(await learning.forget({ tool: 'stripe__create_refund', person: 'ada' })).toBe(1)
    expect(await learning.forget({ person: 'ben' })).toBe(2)
    expect(await learning.uses()).toEqual([])
    expect(found(opened, 'money back')).not.toContain('stripe__create_refund')
  })

  it('learns only from the person who searches, with the scope "person"', async () => {
    const opened = open({ scope: 'person' })
    await useTool(opened, 'money back', 'stripe__create_refund', { person: 'ada' })
    expect(found(opened, 'money back', 'ada')).toContain('stripe__create_refund')
    expect(found(opened, 'money back', 'ben')).not.toContain('stripe__create_refund')
    expect(found(opened, 'money back')).not.toContain('stripe__create_refund')
  })

  it('never passes a tool that the query names', async () => {
    for (const ranker of [undefined, bm25Ranker]) {
      const opened = open({}, ranker && { ranker })
      for (const person of ['ada', 'ben', 'cleo', 'dan']) {
        for (const query of ['list charges', 'files write', 'mail__send', 'content']) {
          await useTool(opened, query, 'stripe__create_refund', { person })
        }
      }
      expect(found(opened, 'list charges')[0]).toBe('stripe__list_charges')
      expect(found(opened, 'write')[0]).toBe('files__write')
      expect(found(opened, 'mail__send')).toEqual(['mail__send'])
      expect(found(opened, 'content')).toContain('stripe__create_refund')
    }
  })

  it('never reveals or counts tools that the caller may not see', async () => {
    const visible = TOOLS.map(({ name }) => name).filter((name) => !name.startsWith('stripe'))
    const taught = open({ now: () => DAY })
    const untaught = open({ now: () => DAY })
    for (const opened of [taught, untaught]) {
      await useTool(opened, 'tell somebody', 'mail__send')
    }
    for (const person of ['ada', 'ben']) {
      for (const query of ['money back', 'tell a customer', 'somebody paid', 'read the money']) {
        await useTool(taught, query, 'stripe__create_refund', { person })
      }
    }
    for (const query of ['money back', 'tell somebody', 'customer', 'read', 'tell the money']) {
      const outcomes = []
      for (const { toolSearch } of [taught, untaught]) {
        const session = await toolSearch.session(`restricted ${query}`, { visible })
        const { outcome, answer } = await session.search({ query }, { explain: true })
        outcomes.push({ outcome, answer })
        const explained = toolSearch.explain(query, 'mail__send', { visible })
        outcomes.at(-1)!.answer = { ...answer, text: answer.text + explained.text }
      }
      expect(outcomes[0]).toEqual(outcomes[1])
      expect(JSON.stringify(outcomes)).not.toContain('stripe')
    }
  })

  it('respects required words', async () => {
    const opened = open()
    await useTool(opened, 'money back', 'stripe__create_refund')
    expect(found(opened, '+file money back')).not.toContain('stripe__create_refund')
  })

  it('ranks as before if nothing similar was used', async () => {
    const opened = open()
    const plain = createToolSearch({ tools: TOOLS })
    await useTool(opened, 'umbrella', 'mail__send')
    const scores = (toolSearch: Pick<Opened['toolSearch'], 'search'>) =>
      toolSearch.search('write a file').hits.map(({ tool, score }) => [tool.name, score])
    expect(scores(opened.toolSearch)).toEqual(scores(plain))
  })

  it('keeps its limit, and the person with the most uses loses the oldest ones', async () => {
    let time = 0
    const opened = open({ maxUses: 10, now: () => time++ })
    await useTool(opened, 'tell somebody', 'mail__send', { person: 'ben' })
    for (let at = 0; at < 20; at++) {
      await useTool(opened, `word${LETTERS[at]}`, 'files__read', { person: 'ada' })
    }
    const uses = await opened.learning.uses()
    expect(uses).toHaveLength(10)
    expect(uses.at(-1)!.person).toBe('ben')
    expect(uses[0]!.words).toBe('wordt')
  })

  it.each(['shared', 'person'] as const)(
    'keeps what one person taught about a tool, however often another one uses it, with the scope %s',
    async (scope) => {
      let time = 0
      const opened = open({ scope, now: () => time++ })
      await useTool(opened, 'money back', 'stripe__create_refund', { person: 'ben' })
      for (let at = 0; at < 60; at++) {
        const query = `word${LETTERS[at % 26]}${LETTERS[Math.floor(at / 26)]}`
        await useTool(opened, query, 'stripe__create_refund', { person: 'ada' })
      }
      const people = (await opened.learning.uses()).map(({ person }) => person)
      expect(people.filter((person) => person === 'ben')).toHaveLength(1)
      expect(people.filter((person) => person === 'ada')).toHaveLength(scope === 'shared' ? 49 : 50)
      expect(found(opened, 'money back', 'ben')).toContain('stripe__create_refund')
    },
  )

  it.each<object>([{ person: undefined }, { tool: undefined }, { tool: 'a', id: undefined }])(
    'rejects the filter %o, which would match more than meant',
    async (filter) => {
      const opened = open()
      await useTool(opened, 'money back', 'stripe__create_refund')
      const { learning } = opened
      await expect(learning.forget(filter as UseFilter)).rejects.toThrow(
        /is undefined; .*\{\} to forget everything/,
      )
      await expect(learning.uses(filter as UseFilter)).rejects.toThrow(InvalidOptionError)
      expect(await learning.uses()).toHaveLength(1)
    },
  )

  it('shares a store with other processes', async () => {
    const store = mapStore()
    const first = open({ store })
    await useTool(first, 'money back', 'stripe__create_refund')
    await first.learning.settled()
    const second = open({ store, refreshMs: 0 })
    const session = await second.toolSearch.session('b')
    const { outcome } = await session.search({ query: 'money back' })
    expect([...outcome.hits, ...outcome.candidates].map(({ tool }) => tool.name)).toContain(
      'stripe__create_refund',
    )
    await first.learning.forget({ tool: 'stripe__create_refund' })
    expect(await second.learning.uses()).toEqual([])
  })

  it('skips what is not a use in a store', async () => {
    const store = mapStore()
    const odd = [null, 7, {}, { id: 'x', tool: 'mail__send', person: 'ada', at: 1, found: true }]
    const opened = open({
      store: { ...store, read: async () => [...odd, ...(await store.read())] as never },
    })
    await useTool(opened, 'money back', 'stripe__create_refund')
    expect(await opened.learning.uses()).toHaveLength(1)
    expect(await opened.learning.forget({})).toBe(1)
  })

  it('works without its store, and says so', async () => {
    const warnings: string[] = []
    const broken: LearningStore = {
      read: () => Promise.reject(new Error('down')),
      add: () => Promise.reject(new Error('down')),
      remove: () => Promise.reject(new Error('down')),
    }
    const opened = open({ store: broken, onWarning: (message) => void warnings.push(message) })
    await useTool(opened, 'money back', 'stripe__create_refund')
    await opened.learning.settled()
    expect(found(opened, 'money back')).toContain('stripe__create_refund')
    expect(warnings).toContain('toolsearch: cannot store what was learned (down).')
    await expect(opened.learning.forget({})).rejects.toThrow('down')
  })

  it('waits for the store if a search would use old memory', async () => {
    const store = mapStore()
    let time = 0
    const opened = open({ store, now: () => time })
    await useTool(opened, 'money back', 'stripe__create_refund')
    await opened.learning.settled()
    await open({ store }).learning.forget({})
    const session = await opened.toolSearch.session('idle')
    const names = async () => {
      const { outcome } = await session.search({ query: 'money back' })
      return [...outcome.hits, ...outcome.candidates].map(({ tool }) => tool.name)
    }
    expect(await names()).toContain('stripe__create_refund')
    time = 60_000
    expect(await names()).not.toContain('stripe__create_refund')
  })

  it('goes on without a store that does not answer, and warns once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const warnings: string[] = []
      const store = { ...mapStore(), read: () => new Promise<Use[]>(() => {}) }
      const onWarning = (message: string) => void warnings.push(message)
      const { toolSearch } = open({ store, refreshMs: 0, onWarning })
      const session = await toolSearch.session('a')
      const first = session.search({ query: 'refund' })
      await vi.advanceTimersByTimeAsync(1_000)
      expect((await first).outcome.hits).toHaveLength(1)
      await session.search({ query: 'refund a charge' })
      expect(warnings).toEqual(['toolsearch: cannot read what was learned (no answer within 1 s).'])
    } finally {
      vi.useRealTimers()
    }
  })

  it('rejects invalid options', async () => {
    const { learning } = open()
    await expect(learning.uses('mail__send' as never)).rejects.toThrow(
      'filter is "mail__send"; use an object such as { tool: "send_mail" }',
    )
    await expect(learning.forget(undefined as never)).rejects.toThrow('{} to forget everything')
    expect(() => createLearning({ scope: 'team' as never })).toThrow(/scope/)
    expect(() => createToolSearch({ learning: {} as never })).toThrow(/createLearning/)
  })
})

function mapStore(): LearningStore {
  const uses = new Map<string, Use>()
  return {
    read: async () => [...uses.values()],
    add: async (added) => {
      for (const use of added) uses.set(use.id, use)
    },
    remove: async (ids) => {
      for (const id of ids) uses.delete(id)
    },
  }
}
