import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../../testing/any-character.ts'
import { checkProperty } from '../../../testing/deep.ts'
import {
  createToolSearch,
  type ToolDefinition,
  type ToolSearchOptions,
  type Turn,
} from './index.ts'
import { allPresets } from './presets/all-presets.fixtures.ts'

const loadingPresets = allPresets.filter(({ loading }) => loading !== 'none')

const WORDS = [
  'read',
  'write',
  'file',
  'issue',
  'mail',
  'send',
  'list',
  'room',
  'köln',
  '文件',
  '🚀',
]
const word = fc.constantFrom(...WORDS)
const words = fc.array(word, { minLength: 1, maxLength: 4 })
const query = fc.oneof(
  words.map((list) => list.join(' ')),
  words.map((list) => `+${list.join(' ')}`),
  words.map((list) => `select:${list.join('_')},mcp__s1__${list.join('_')}`),
  fc.string(),
)

/** Tools with similar names, from a few servers and built in. */
const tool: fc.Arbitrary<ToolDefinition> = fc.record({
  name: fc
    .tuple(fc.constantFrom('', 'mcp__s1__', 'mcp__s2__'), words)
    .map(([server, list]) => server + list.join('_')),
  description: words.map((list) => list.join(' ')),
  inputSchema: fc.uniqueArray(word, { maxLength: 3 }).map((names) => ({
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
    required: names,
  })),
  loading: fc.constantFrom('auto', 'eager', 'deferred'),
})
const tools = fc.uniqueArray(tool, { selector: ({ name }) => name, maxLength: 30 })
const preset = fc.constantFrom(...allPresets)
// nexo defers tools of MCP servers only on request
const always = { activation: 'always', deferral: { mcp: 'deferred' } } as const

function create(options: ToolSearchOptions) {
  return createToolSearch({ ...options, ...always })
}

describe('invariants', () => {
  it('the search tool is never deferred, never a result, and present whenever a tool is hidden', async () => {
    await checkProperty(
      fc.asyncProperty(tools, preset, query, async (tools, preset, query) => {
        const { name } = preset.searchTool
        const toolSearch = create({ tools: [...tools, { name, description: 'read' }], preset })
        const session = await toolSearch.session('a')
        const { outcome } = await session.search({ query })
        expect(outcome.hits.map((hit) => hit.tool.name)).not.toContain(name)
        const turn = await session.turn()
        const sentIn = (turn: Turn) => turn.tools.filter((tool) => tool.name === name).length
        expect(sentIn(turn)).toBe(turn.hidden > 0 || preset.alwaysOffersSearch ? 1 : 0)
        await session.load(tools.map(({ name }) => name))
        expect(sentIn(await session.turn())).toBe(sentIn(turn))
        expect(turn.nameConflicts).toEqual([name])
      }),
    )
  })

  it('nothing reveals a tool that is not visible', async () => {
    const secret = { name: 'zzsecretzz_read', description: 'read write file issue zzsecretzz' }
    await checkProperty(
      fc.asyncProperty(tools, preset, query, async (tools, preset, query) => {
        const toolSearch = create({ tools: [secret, ...tools], preset })
        toolSearch.sources.set({ source: 'mcp:zzsecretzz', state: 'failed' })
        const session = await toolSearch.session('a', { visible: tools.map(({ name }) => name) })
        const open = await create({ tools, preset }).session('a')
        const visibleTexts = [
          await session.turn(),
          await session.search({ query }),
          await session.search({ query: 'zzsecretzz' }),
          await session.answer({ name: 'zzsecretz', arguments: {} }),
          await session.turn(),
        ]
        const echo = /zzsecretzz(?!_read)|"zzsecretz"/g
        expect(JSON.stringify(visibleTexts).replace(echo, '')).not.toContain('zzsecretzz_read')
        const { outcome } = await session.search({ query })
        await open.turn()
        await open.search({ query })
        await open.search({ query: 'zzsecretzz' })
        const other = (await open.search({ query })).outcome
        expect(outcome.deferrable).toBe(other.deferrable)
        expect(outcome.remaining).toBe(outcome.deferrable - session.loaded.length)
      }),
    )
  })

  it('selecting a loaded tool reports it as already loaded', async () => {
    await checkProperty(
      fc.asyncProperty(tools, fc.constantFrom(...loadingPresets), async (tools, preset) => {
        const session = await create({ tools, preset }).session('a')
        const names = tools.map(({ name }) => name)
        await session.load(names)
        const { outcome } = await session.search({ query: `select:${names.join(',')}` })
        if (preset.readQuery('select:a').kind !== 'select') return
        expect(outcome.missing).toEqual([])
        for (const hit of outcome.hits) expect(hit.status).toMatch(/already-loaded|always-on/)
      }),
    )
  })

  it('the same tools and steps produce byte-identical requests and answers', async () => {
    await checkProperty(
      fc.asyncProperty(tools, preset, query, async (tools, preset, query) => {
        const run = async () => {
          const session = await create({ tools, preset }).session('a')
          const before = await session.turn()
          const { answer } = await session.search({ query })
          return JSON.stringify([before, answer, await session.turn()])
        }
        expect(await run()).toBe(await run())
      }),
    )
  })

  it('a search returns the full schema, even after two turns with stubs and a JSON round trip', async () => {
    await checkProperty(
      fc.asyncProperty(tools, preset, async (tools, preset) => {
        const toolSearch = create({ tools, preset })
        const session = await toolSearch.session('a')
        await session.turn()
        await session.turn()
        const restored = await toolSearch.restore(
          JSON.parse(JSON.stringify(await session.snapshot())),
        )
        const { outcome } = await restored.search({ query: 'read write file issue mail' })
        for (const { tool } of outcome.hits) {
          expect(tool.inputSchema).toEqual(
            tools.find(({ name }) => name === tool.name)?.inputSchema,
          )
        }
      }),
    )
  })

  it('the next request contains the full definition of a loaded tool', async () => {
    await checkProperty(
      fc.asyncProperty(
        tools,
        fc.constantFrom(...loadingPresets),
        query,
        async (tools, preset, query) => {
          const session = await create({ tools, preset }).session('a')
          await session.turn()
          const { outcome } = await session.search({ query })
          const turn = await session.turn()
          for (const { tool, status } of outcome.hits) {
            if (status !== 'loaded') continue
            const sent = turn.tools.find(({ name }) => name === tool.name)
            expect(sent?.inputSchema).toEqual(tool.inputSchema)
          }
        },
      ),
    )
  })

  it('loading a tool never affects other sessions', async () => {
    await checkProperty(
      fc.asyncProperty(tools, preset, query, async (tools, preset, query) => {
        const toolSearch = create({ tools, preset })
        const [one, other] = [await toolSearch.session('a'), await toolSearch.session('b')]
        const before = await other.turn()
        await one.search({ query })
        expect(other.loaded).toEqual([])
        expect((await toolSearch.session('b')).loaded).toEqual([])
        expect(await other.turn()).toEqual(before)
      }),
    )
  })

  it('loaded tools survive compaction, reconnects and restores, unless the preset says otherwise', async () => {
    await checkProperty(
      fc.asyncProperty(
        tools,
        fc.constantFrom(...loadingPresets),
        query,
        async (tools, preset, query) => {
          const toolSearch = create({ tools, preset })
          const session = await toolSearch.session('a')
          await session.turn()
          await session.search({ query })
          const { loaded } = session
          for (const source of ['mcp:s1', 'mcp:s2'] as const) {
            toolSearch.catalogue.removeSource(source)
            toolSearch.catalogue.sync(
              source,
              tools.filter(({ name }) => name.startsWith(source.replace(':', '__'))),
            )
          }
          const restored = await toolSearch.restore(await session.snapshot())
          expect(restored.loaded).toEqual(loaded)
          const { tools: sent } = await restored.turn()
          expect(sent.map(({ name }) => name)).toEqual(expect.arrayContaining([...loaded]))
          await restored.compacted()
          expect(restored.loaded).toEqual(preset.loading === 'sticky' ? loaded : [])
        },
      ),
    )
  })

  it('late tools are announced once, searchable immediately, and not loaded automatically', async () => {
    await checkProperty(
      fc.asyncProperty(tools, async (tools) => {
        const toolSearch = create({ tools: [{ name: 'first', loading: 'deferred' }, ...tools] })
        const session = await toolSearch.session('a')
        await session.turn()
        toolSearch.catalogue.add({ name: 'latecomer', description: 'arrives late' })
        const { outcome } = await session.search({ query: 'select:latecomer' })
        expect(outcome.missing).toEqual([])
        const fresh = await toolSearch.session('b')
        expect(fresh.loaded).toEqual([])
        const other = await toolSearch.session('c')
        await other.turn()
        toolSearch.catalogue.add({ name: 'even_later' })
        const [second, third] = [await other.turn(), await other.turn()]
        expect(second.notice?.match(/even_later/g)).toHaveLength(1)
        expect(third.notice).toBeUndefined()
        expect(other.loaded).toEqual([])
      }),
    )
  })

  it('a removed tool disappears from index, lists and counts, even if it was loaded', async () => {
    await checkProperty(
      fc.asyncProperty(tools, preset, async (tools, preset) => {
        const gone = { name: 'zzgonezz', description: 'read', loading: 'deferred' } as const
        const toolSearch = create({ tools: [...tools, gone], preset })
        const session = await toolSearch.session('a')
        await session.turn()
        await session.load(['zzgonezz'])
        toolSearch.catalogue.remove('zzgonezz')
        const turn = await session.turn()
        expect(turn.tools.map(({ name }) => name)).not.toContain('zzgonezz')
        const { outcome } = await session.search({ query: 'read zzgonezz' })
        expect(outcome.hits.map((hit) => hit.tool.name)).not.toContain('zzgonezz')
        const without = await create({ tools, preset }).session('a')
        const other = await without.search({ query: 'read zzgonezz' })
        expect(outcome.deferrable).toBe(other.outcome.deferrable)
        expect(outcome.hits).toEqual(other.outcome.hits)
      }),
    )
  })

  it('below the threshold and with deferral off, requests contain all tools unchanged', async () => {
    const automatic = tools.map((list) => list.map((one) => ({ ...one, loading: 'auto' as const })))
    const activation = fc.constantFrom('never' as const, { toolCount: 1_000 })
    await checkProperty(
      fc.asyncProperty(automatic, preset, activation, async (tools, preset, activation) => {
        const session = await createToolSearch({ tools, preset, activation }).session('a')
        const turn = await session.turn()
        expect(JSON.stringify(turn.tools)).toBe(
          JSON.stringify(
            tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
          ),
        )
        expect([turn.system, turn.notice, turn.hidden]).toEqual([undefined, undefined, 0])
      }),
    )
  })

  it('no text is cut inside a character and no query makes a search throw', async () => {
    const odd = fc.oneof(
      fc.string({ unit: anyCharacter, maxLength: 300 }),
      fc.constantFrom('+++', '(((', '\\', '[a-', '\ud83d', '.*+?^$|[](){}', '🚀'.repeat(5_000)),
      fc.string().map((text) => `select:${text}`),
    )
    await checkProperty(
      fc.asyncProperty(
        odd,
        fc.string({ unit: anyCharacter }),
        preset,
        async (query, description, preset) => {
          const toolSearch = create({
            tools: [
              { name: 'one', description: description + '🚀'.repeat(130), loading: 'deferred' },
            ],
            preset,
          })
          const session = await toolSearch.session('a')
          const { system = '' } = await session.turn()
          expect(system.isWellFormed()).toBe(true)
          const { answer } = await session.search({ query })
          expect(answer.text).toBeTypeOf('string')
        },
      ),
    )
  })

  it('a search over 2,000 tools finds something and stays within the limit', async () => {
    const many = Array.from({ length: 2_000 }, (_, index) => ({
      name: `mcp__s${index % 40}__action_${index}`,
      description: `Does thing number ${index} with ${WORDS[index % WORDS.length]}`,
    }))
    for (const preset of allPresets) {
      const session = await create({ tools: many, preset }).session('a')
      const turn = await session.turn()
      const { outcome } = await session.search({ query: 'action_1234 thing' })
      expect(outcome.hits.length).toBeLessThanOrEqual(preset.selection.defaultLimit)
      expect(outcome.hits.length).toBeGreaterThan(0)
      expect(turn.hidden).toBe(2_000)
    }
  })

  it('forcing a deferred tool loads it', async () => {
    await checkProperty(
      fc.asyncProperty(fc.constantFrom(...loadingPresets), async (preset) => {
        const toolSearch = create({
          tools: [
            { name: 'mcp__s1__read', inputSchema: { type: 'object', required: ['path'] } },
            { name: 'mcp__s1__write' },
          ],
          preset,
        })
        const session = await toolSearch.session('a')
        const { tools } = await session.turn({ toolChoice: 'mcp__s1__read' })
        expect(tools.find(({ name }) => name === 'mcp__s1__read')?.inputSchema.required).toEqual([
          'path',
        ])
        expect(session.loaded).toEqual(['mcp__s1__read'])
      }),
    )
  })

  it('a request contains every name once', async () => {
    await checkProperty(
      fc.asyncProperty(tools, preset, query, async (tools, preset, query) => {
        const { name } = preset.searchTool
        const toolSearch = create({ tools: [...tools, { name }], preset })
        const session = await toolSearch.session('a')
        await session.turn()
        await session.search({ query })
        await session.search({ query })
        const names = (await session.turn()).tools.map((tool) => tool.name)
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })
})
