import { describe, expect, it } from 'vitest'
import { readServers } from '../../../testing/catalogue/read-servers.ts'
import { createEngineSearch, type EngineSearchOptions } from './engine-search.ts'
import type { CandidateEngine } from './engines/candidate-engine.ts'
import { createToolSearch, type Session, type ToolDefinition, type Turn } from './index.ts'
import { createLearning } from './learning/learning.ts'
import { providers } from './providers/all-providers.fixtures.ts'
import { startConversation } from './providers/converse.fixtures.ts'
import { sampleTools } from './providers/provider.fixtures.ts'

const SERVERS = ['mail', 'calendar', 'drive', 'tracker', 'crm', 'weather', 'music', 'logs', 'forge']
const TOOLS = readServers(SERVERS)

const QUERIES = [
  'send an email to a customer',
  'create event',
  'play a song',
  'what will the weather be like tomorrow',
  'find the file and share it with the team, then send a message',
  // typing errors and beginnings of words
  'calender evnt',
  'attachm',
  // synonyms
  'remove a picture',
  // required words
  '+mail attachment',
  '+nowhere file',
  // other scripts, and nothing at all
  '発送 メール',
  'xylophone quartet',
  'the of and',
  '',
]

/** What every search over an engine does. The test file of each engine calls this. */
export function describeEngineSearch(create: () => Promise<CandidateEngine>): void {
  describe('search over an engine', () => {
    async function open(
      tools: readonly ToolDefinition[],
      options: Partial<EngineSearchOptions> = {},
    ) {
      const engine = await create()
      await engine.put(tools)
      return createEngineSearch({ engine, ...options })
    }

    it('loads the tools that fit the words of the user, like a search in memory', async () => {
      const turnOf = async (session: Session) =>
        session.turn({
          expect: 'Please approve the invoice.',
          appendOnly: { reveal: 'reference' },
        })
      const session = await (await open(sampleTools)).session('a')
      const turn = await turnOf(session)
      const inMemory = await turnOf(await createToolSearch({ tools: sampleTools }).session('a'))
      expect(turn.notice).toContain('invoice_approve')
      expect(turn.notice).toBe(inMemory.notice)
      expect(
        await session.answer({ name: 'invoice_approve', arguments: { subject: '7' } }),
      ).toMatchObject({ kind: 'run' })
    })

    it('finds, scores and explains the same as a search in memory', async () => {
      const inMemory = createToolSearch({ tools: TOOLS })
      const search = await open(TOOLS)
      const names = TOOLS.slice(0, 3).map(({ name }) => name)
      const queries = [
        ...QUERIES,
        names[0]!,
        `select:${names.join(',')},mcp__mail__no_such_tool`,
        `use ${names[1]!.replace(/^mcp__mail__/, '').replaceAll('_', '-')} for this letter`,
        'mcp__calendar__',
        'mcp__calender__list_evnts',
      ]
      for (const query of queries) {
        // Tools without a required word are near misses in memory, and no candidates of an engine.
        const options = { limit: 5, explain: true, nearMisses: query.startsWith('+') ? 0 : 3 }
        const expected = inMemory.search(query, options)
        const found = await search.search(query, options)
        expect({ query, ...plain(found) }).toEqual({ query, ...plain(expected) })
      }
    })

    it('explains a tool with the same reasons', async () => {
      const inMemory = createToolSearch({ tools: TOOLS })
      const search = await open(TOOLS)
      for (const name of [...TOOLS.slice(0, 20).map(({ name }) => name), 'mcp__mail__sent']) {
        const found = await search.explain('send an email with a file', name)
        expect(rounded(found)).toEqual(rounded(inMemory.explain('send an email with a file', name)))
      }
    })

    it('ranks a few candidates as if it knew all tools', async () => {
      const inMemory = createToolSearch({ tools: TOOLS })
      const search = await open(TOOLS, { candidates: 12, cache: 20 })
      for (const query of QUERIES.slice(0, 3)) {
        const [best] = inMemory.search(query).hits
        const [found] = (await search.search(query)).hits
        expect(found?.tool.name).toBe(best?.tool.name)
        expect(found?.score).toBeCloseTo(best?.score ?? 0, 6)
      }
    })

    it('loads what it finds, and lists it in the next turn', async () => {
      const search = await open(TOOLS)
      const session = await search.session('one')
      const first = await session.turn()
      expect(namesIn(first)).toEqual(['tool_search'])
      expect(first.hidden).toBe(TOOLS.length)
      expect(first.system).toContain('tool_search')
      const { outcome } = await session.search({ query: 'create event' })
      const found = outcome.hits.map(({ tool }) => tool.name)
      expect(found).not.toEqual([])
      expect(outcome.deferrable).toBe(TOOLS.length)
      expect(outcome.remaining).toBe(TOOLS.length - found.length)
      const second = await session.turn()
      expect(namesIn(second)).toEqual(['tool_search', ...found])
      expect(second.hidden).toBe(TOOLS.length - found.length)
      // Candidates that were not loaded are not kept.
      expect(session.tools().map(({ name }) => name)).toEqual(found)
      expect((await session.search({ query: 'create event' })).outcome.repeats).toBe(1)
      expect((await session.search({ query: 'create event' })).outcome.repeats).toBe(2)
    })

    it('continues a conversation in another process, and restores a snapshot', async () => {
      const engine = await create()
      await engine.put(TOOLS)
      const { createMemoryStore } = await import('./index.ts')
      const store = createMemoryStore()
      const here = await createEngineSearch({ engine, store }).session('one')
      await here.search({ query: 'create event' })
      const there = await createEngineSearch({ engine, store }).session('one')
      expect(namesIn(await there.turn())).toEqual(namesIn(await here.turn()))
      const restored = await createEngineSearch({ engine }).restore(await here.snapshot())
      expect(namesIn(await restored.turn())).toEqual(namesIn(await here.turn()))
      const fork = await restored.fork('two', { loaded: true })
      expect(namesIn(await fork.turn())).toEqual(namesIn(await here.turn()))
    })

    it('answers calls: unknown names, tools that are not loaded, wrong arguments', async () => {
      const search = await open(sampleTools, {
        execute: ({ name }, { subject }) => `${name} did ${subject}`,
      })
      const session = await search.session('one')
      await session.turn()
      const call = (name: string, input: object) => session.run({ name, arguments: input })
      expect(await call('invoice_creat', {})).toMatchObject({ reason: 'unknown-tool' })
      expect(JSON.stringify(await call('invoice_creat', {}))).toContain('invoice_create')
      expect(await call('invoice_create', {})).toMatchObject({ reason: 'not-loaded' })
      expect(await call('invoice_create', {})).toMatchObject({ reason: 'invalid-arguments' })
      expect(await call('invoice_create', { subject: 'it' })).toMatchObject({
        kind: 'executed',
        text: 'invoice_create did it',
      })
      expect(namesIn(await session.turn())).toEqual(['tool_search', 'invoice_create'])
    })

    it('suggests similar names for those that do not exist', async () => {
      const session = await (await open(sampleTools)).session('one')
      const { outcome } = await session.search({ query: 'select:invoice_creat' })
      expect(outcome.missing[0]?.closest[0]).toBe('invoice_create')
      const { outcome: other } = await session.search({ query: 'inv_oicecreate' })
      expect([...other.closest, ...other.hits.map(({ tool }) => tool.name)][0]).toBe(
        'invoice_create',
      )
    })

    it('follows changes of loaded tools', async () => {
      const removed: string[] = []
      const search = await open(sampleTools, {
        onRemoved: ({ names }) => void removed.push(...names),
      })
      const session = await search.session('one')
      await session.search({ query: 'select:invoice_create,photo_archive' })
      await session.turn()
      await search.engine.put([{ ...sampleTools[0]!, description: 'Another description.' }])
      const changed = (await session.turn()).tools.find(({ name }) => name === 'invoice_create')
      expect(changed?.description).toBe('Another description.')
      await search.engine.remove(['photo_archive'])
      expect(namesIn(await session.turn())).toEqual(['tool_search', 'invoice_create'])
      expect(removed).toEqual(['photo_archive'])
      expect(session.removedTools().map(({ name }) => name)).toEqual(['photo_archive'])
    })

    it('adds the own tools of a conversation', async () => {
      const search = await open(sampleTools)
      const tools: ToolDefinition[] = [
        { name: 'umbrella_rent', description: 'Rent an umbrella.' },
        { name: 'invoice_create', description: 'My own invoices.' },
        { name: 'clock', description: 'Tell the time.', loading: 'eager' },
      ]
      const session = await search.session('one', { tools })
      expect(namesIn(await session.turn())).toEqual(['tool_search', 'clock'])
      const find = async (query: string) =>
        (await session.search({ query })).outcome.hits.map(({ tool }) => tool)
      expect((await find('rent umbrella'))[0]?.name).toBe('umbrella_rent')
      expect((await find('create invoice'))[0]?.description).toBe('My own invoices.')
      expect((await find('archive photo'))[0]?.name).toBe('photo_archive')
    })

    it('rebuilds a conversation from its messages, and loads by name', async () => {
      const session = await (await open(sampleTools)).session('one')
      const call = {
        id: '1',
        type: 'function',
        function: { name: 'photo_archive', arguments: '{}' },
      }
      expect(await session.rebuild([{ role: 'assistant', tool_calls: [call] }])).toEqual([
        'photo_archive',
      ])
      expect(await session.load(['invoice_create', 'no_such_tool'])).toEqual(['invoice_create'])
      const turn = await session.turn({ toolChoice: 'ticket_approve' })
      expect(namesIn(turn)).toContain('ticket_approve')
    })

    it.each([
      ['names', { visible: ['invoice_create', 'invoice_archive'] }],
      ['a function', { visible: ({ source }: { source: string }) => source === 'mcp:invoice' }],
      ['sources', { fromSources: ['mcp:invoice'] }],
      ['both', { fromSources: ['mcp:invoice'], visible: () => true }],
    ])('never shows, counts or names what %s exclude', async (_, access) => {
      const search = await open(sampleTools, { candidates: 4 })
      const session = await search.session('one', access)
      const seen: unknown[] = []
      for (const query of [
        'archive a photo',
        'photo_archive',
        'photoArchive',
        'select:photo_archive,invoice_archive',
        'photo_archiv',
        'photo__',
        'approve everything',
        'create',
      ]) {
        const options = { explain: true, nearMisses: 10 }
        // The query itself is repeated in the outcome.
        const { query: _, missing, ...outcome } = (await session.search({ query }, options)).outcome
        const alone = await search.search(query, { ...options, ...access })
        seen.push(
          outcome,
          missing.map(({ closest }) => closest),
          alone.hits,
          alone.closest,
        )
        seen.push(alone.nearMisses, alone.omitted)
        expect(outcome.deferrable).toBeLessThanOrEqual(5)
        seen.push((await session.turn()).tools, session.tools())
      }
      const answer = await session.answer({ name: 'photo_archiv', arguments: {} })
      seen.push(answer)
      const text = JSON.stringify(seen)
      expect(text.includes('invoice_archive')).toBe(true)
      const hidden = sampleTools.filter(({ source }) => source !== 'mcp:invoice')
      expect(hidden.filter(({ name }) => text.includes(name))).toEqual([])
      expect(await search.explain('archive', 'photo_archive', access)).toMatchObject({
        verdict: 'unknown',
      })
      expect((await session.turn()).hidden).toBeLessThanOrEqual(5)
      // Access is never forgotten.
      const snapshot = await session.snapshot()
      await expect(search.restore(snapshot)).rejects.toThrow('visible')
    })

    it('scores and corrects as if hidden tools did not exist', async () => {
      const hidden: ToolDefinition[] = [
        // common words of the visible tools, and corrections that would be better
        ...Array.from({ length: 40 }, (_, at) => ({
          name: `send_email_${at}`,
          source: 'mcp:x' as const,
        })),
        {
          name: 'emaial_attachmen',
          description: 'emaial attachmen calendr xylophone',
          source: 'mcp:x',
        },
      ]
      const visible = TOOLS.map(({ name }) => name)
      const fromSources = SERVERS.map((server) => `mcp:${server}`)
      const [alone, among] = [await open(TOOLS), await open([...TOOLS, ...hidden])]
      // tools that other callers have searched for are in the index
      await among.search('send email attachmen')
      for (const access of [{ visible }, { fromSources }]) {
        for (const query of [...QUERIES, 'emaail attachmentt', 'calendrr', 'send', 'xylophone']) {
          const options = { limit: 5, explain: true }
          const expected = await alone.search(query, { ...options, ...access })
          const found = await among.search(query, { ...options, ...access })
          expect({ query, ...plain(found) }).toEqual({ query, ...plain(expected) })
        }
      }
    })

    it('learns from use, and finds tools that the engine does not return', async () => {
      const learning = createLearning()
      const search = await open(TOOLS, { learning })
      const name = TOOLS.find((tool) => tool.name.endsWith('list_folders'))!.name
      const found = async (query: string, options: object = {}) => {
        const { hits, candidates } = await search.search(query, options)
        return [...hits, ...candidates].map(({ tool }) => tool.name)
      }
      expect(await found('zwitscher botschaft')).not.toContain(name)
      const session = await search.session('ada', { person: 'ada' })
      await session.search({ query: 'zwitscher die botschaft' })
      await session.search({ query: `select:${name}` })
      await session.answer({ name, arguments: {} })
      expect(await learning.uses()).toMatchObject([{ tool: name, person: 'ada' }])

      expect(await found('zwitscher botschaft', { person: 'ben' })).toContain(name)
      expect((await search.explain('zwitscher botschaft', name)).text).toContain('similar request')
      const other = await search.session('ben', { person: 'ben', visible: [name] })
      const { outcome } = await other.search({ query: 'zwitscher botschaft' })
      expect([...outcome.hits, ...outcome.candidates].map(({ tool }) => tool.name)).toEqual([name])

      // Who may not see it learns nothing about it.
      const visible = TOOLS.map((tool) => tool.name).filter((each) => each !== name)
      expect(await found('zwitscher botschaft', { visible })).not.toContain(name)
      // Only the engine knows which tools a source has.
      const fromSources = ['mcp:mail']
      expect(await found('zwitscher botschaft', { fromSources })).not.toContain(name)
      await search.engine.remove([name])
      expect(await found('zwitscher botschaft')).not.toContain(name)
    })

    it('refuses access that is not given', async () => {
      const search = await open([])
      for (const options of [{ visible: undefined }, { fromSources: undefined }]) {
        await expect(search.session('one', options as object)).rejects.toThrow('undefined')
        await expect(search.search('a', options as object)).rejects.toThrow('undefined')
      }
    })

    // In the mode `hosted`, the service searches, and would need every definition.
    const modes = providers.flatMap((provider) =>
      provider.modes
        .filter((mode) => mode !== 'hosted')
        .map((mode) => [provider.name, mode, provider] as const),
    )

    it.each(modes)('works with %s in the mode %s', async (_, mode, provider) => {
      const session: Session = await (await open(sampleTools)).session(`${provider.name} ${mode}`)
      const conversation = await startConversation(provider, { session, mode })
      try {
        await conversation.turn(provider.search(mode, 'create invoice', ['invoice_create']))
        const call = { name: 'invoice_create', arguments: { subject: 'shoes' } }
        const callsByName = mode !== 'bridge' && mode !== 'stub'
        await conversation.turn({
          calls: [callsByName ? call : { name: 'call_tool', arguments: call }],
        })
        expect(conversation.ran).toEqual([call])
        await conversation.turn({ text: 'Done.' })
        const problems = conversation.server.requests.flatMap(({ problem }) => problem ?? [])
        expect(problems).toEqual([])
      } finally {
        await conversation.close()
      }
    })
  })
}

function namesIn({ tools }: Turn): string[] {
  return tools.map(({ name }) => name)
}

interface Found {
  readonly tool: { readonly name: string }
}

/** An outcome as data that can be compared: names instead of tools, and rounded scores. */
function plain(outcome: object): object {
  const { notReady: _, ...rest } = outcome as { notReady: unknown }
  return rounded(rest) as object
}

function rounded(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, each: unknown) => {
      // Engines measure the similarity of names in their own way, so only the best one is the same.
      if (key === 'closest') return (each as string[]).slice(0, 1)
      if (key === 'tool' && typeof each === 'object') return (each as Found['tool']).name
      return typeof each === 'number' ? Number(each.toFixed(6)) : each
    }),
  )
}
