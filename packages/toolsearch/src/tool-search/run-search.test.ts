import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { SourceState } from '../catalogue/source-states.ts'
import type { Tool, ToolDefinition } from '../catalogue/tool.ts'
import { unified } from '../presets/unified/unified.ts'
import { fieldedRanker } from '../ranking/fielded-ranker.ts'
import type { Ranker } from '../ranking/ranker.ts'
import { browse, ignoreBlank, rejectBlank } from './finders/blank-query.ts'
import { byPrefix } from './finders/by-prefix.ts'
import { bySelect } from './finders/by-select.ts'
import { type ByWordsOptions, byWords } from './finders/by-words.ts'
import type { Finder, SearchRequest } from './finders/finder.ts'
import { runSearch } from './run-search.ts'
import type { Selection } from './search-behaviour.ts'
import type { HitStatus, SearchOutcome } from './search-outcome.ts'
import type { SearchView } from './search-view.ts'

interface Setup {
  tools: readonly ToolDefinition[]
  /** Names of tools that the caller may not see. */
  secret?: readonly string[]
  status?: (tool: Tool) => HitStatus
  notReady?: readonly SourceState[]
  ranker?: Ranker
  finders?: readonly Finder[]
  selection?: Partial<Selection>
}

type Request = Partial<Omit<SearchRequest, 'query' | 'text'>> & { query?: string }

function search({ query: text = '', ...request }: Request, setup: Setup): SearchOutcome {
  const all = setup.tools.map((tool) => readDefinition(tool))
  const ranker = setup.ranker ?? fieldedRanker()
  for (const tool of all) ranker.set(tool)
  const visible = all.filter(({ name }) => !setup.secret?.includes(name))
  const status = setup.status ?? (() => 'loaded')
  const deferrable = visible.filter((tool) => status(tool) !== 'always-on').length
  const view: SearchView = {
    ranker: () => ranker,
    get: (name) => visible.find((tool) => tool.name === name),
    isVisible: (tool) => visible.includes(tool),
    tools: () => visible,
    status,
    notReady: () => setup.notReady ?? [],
    deferrable: () => deferrable,
    eager: () => visible.length - deferrable,
    remainingAfter: (hits) => deferrable - hits.length,
  }
  const query = unified.readQuery(text)
  return runSearch({ query, text, limit: 5, ...request }, view, {
    finders: setup.finders ?? unified.finders,
    selection: { ...unified.selection, ...setup.selection },
  })
}

/** The finder of the unified preset, with other options. */
const words = (options: Partial<ByWordsOptions>): Finder =>
  byWords({ names: true, requiredIn: 'all', eager: 'add', ties: 'name', ...options })

const names = (outcome: SearchOutcome) => outcome.hits.map(({ tool }) => tool.name)

/** Uses the first tag of each tool as its score, for exact assertions about scores. */
function fixedRanker(): Ranker {
  const tools = new Map<string, Tool>()
  return {
    name: 'fixed',
    set: (tool) => void tools.set(tool.name, tool),
    delete: (name) => void tools.delete(name),
    rank: (_query, { limit, accepts }) => ({
      hits: [...tools.values()]
        .filter((tool) => accepts?.(tool) ?? true)
        .map((tool) => ({ tool, score: Number(tool.tags[0]) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, limit),
    }),
  }
}

const scored = (...scores: readonly number[]): ToolDefinition[] =>
  scores.map((score, index) => ({ name: `tool_${index}`, tags: [String(score)] }))

describe('runSearch by words', () => {
  it('never returns a concealed tool, even if a ranker ignores the filter', () => {
    const ranker = fixedRanker()
    const careless: Ranker = {
      ...ranker,
      rank: (query, { accepts: _, ...options }) => ranker.rank(query, options),
    }
    const setup = { tools: scored(3, 2, 1), secret: ['tool_0'], ranker: careless }
    const outcome = search({ query: 'anything', limit: 1, nearMisses: 5 }, setup)
    expect(names(outcome)).toEqual(['tool_1'])
    expect(outcome.nearMisses?.map(({ tool }) => tool)).toEqual(['tool_2'])
  })

  it('returns matching tools with their scores, best first', () => {
    const tools = [
      { name: 'mail_send', description: 'Sends a mail' },
      { name: 'git_log', description: 'Shows the history of a branch' },
      { name: 'history', description: 'Shows the history of a git branch, and its log' },
    ]
    const outcome = search({ query: 'git log' }, { tools })
    expect(names(outcome)[0]).toBe('git_log')
    expect(names(outcome)).not.toContain('mail_send')
    expect(outcome.form).toBe('words')
    expect(outcome.query).toBe('git log')
    const scores = outcome.hits.map(({ score }) => score!)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(scores[0]).toBeGreaterThan(0)
  })

  it('returns as many hits as the limit allows', () => {
    const tools = Array.from({ length: 30 }, (_, index) => ({
      name: `git_${String(index).padStart(2, '0')}`,
      description: 'Shows the log',
    }))
    expect(search({ query: 'shows log' }, { tools }).hits).toHaveLength(5)
    expect(search({ query: 'shows log', limit: 25 }, { tools }).hits).toHaveLength(25)
    expect(search({ query: 'shows log', limit: 1 }, { tools }).hits).toHaveLength(1)
  })

  it.each([
    ['name', ['log_a', 'log_b', 'log_c']],
    ['catalogue', ['log_b', 'log_c', 'log_a']],
  ] as const)('breaks ties by %s', (ties, expected) => {
    const tools = ['log_b', 'log_c', 'log_a'].map((name) => ({
      name,
      description: 'Shows history',
    }))
    expect(names(search({ query: 'history' }, { tools, finders: [words({ ties })] }))).toEqual(
      expected,
    )
  })

  it('returns the same order regardless of insertion order, if ties are broken by name', () => {
    const tools = ['b', 'd', 'a', 'c'].map((letter) => ({
      name: `log_${letter}`,
      description: 'Shows history',
    }))
    const forth = names(search({ query: 'history', limit: 2 }, { tools }))
    const back = names(search({ query: 'history', limit: 2 }, { tools: tools.toReversed() }))
    expect(forth).toEqual(['log_a', 'log_b'])
    expect(back).toEqual(forth)
  })

  it('drops hits outside the score band and keeps one exactly at its edge', () => {
    const setup: Setup = { tools: scored(10, 4, 3.99, 1), ranker: fixedRanker() }
    expect(names(search({ query: 'x' }, { ...setup, selection: { band: 0.4 } }))).toEqual([
      'tool_0',
      'tool_1',
    ])
    expect(names(search({ query: 'x' }, { ...setup, selection: { band: 0 } }))).toHaveLength(4)
    expect(names(search({ query: 'x' }, { ...setup, selection: { band: 1 } }))).toEqual(['tool_0'])
  })

  it('returns candidates instead of hits if even the best tool hardly matches', () => {
    const tools = [
      { name: 'git_log', description: 'Shows the history of a branch' },
      { name: 'git_diff', description: 'Shows what changed' },
    ]
    const query = 'grow tomatoes on a branch behind the garden shed'
    const anyway = { confidence: { sure: 1, doubtful: 0 } }
    expect(search({ query }, { tools, selection: anyway })).toMatchObject({
      hits: [{ tool: { name: 'git_log' }, status: 'loaded' }],
      confidence: 'medium',
      candidates: [],
    })
    expect(search({ query }, { tools })).toMatchObject({
      hits: [],
      confidence: 'low',
      candidates: [{ tool: { name: 'git_log' }, status: 'candidate', score: expect.any(Number) }],
      closest: [],
      remaining: 2,
    })
    const loading = search({ query, loadsCandidates: true }, { tools })
    expect(loading).toMatchObject({ confidence: 'low', candidates: [], remaining: 1 })
    expect(loading.hits).toMatchObject([{ tool: { name: 'git_log' }, status: 'loaded' }])
  })

  it('loads nothing for a query of words that say nothing', () => {
    const setup = { tools: [{ name: 'x', tags: ['9'] }], ranker: fixedRanker() }
    for (const query of ['a', 'of the', 'please help me']) {
      expect(search({ query }, setup)).toMatchObject({
        hits: [],
        confidence: 'low',
        candidates: [{ tool: { name: 'x' } }],
      })
    }
    expect(names(search({ query: 'a horse' }, setup))).toEqual(['x'])
    const selection = { confidence: { sure: 1, doubtful: 0 } }
    expect(names(search({ query: 'a' }, { ...setup, ranker: fixedRanker(), selection }))).toEqual([
      'x',
    ])
  })

  it.each([
    ['', 'The query cannot be empty.'],
    ['  ', 'The query cannot be empty.'],
    ['!!!', 'The query has no words.'],
  ])('says what is wrong with the query %j', (query, sentence) => {
    const { problem } = search({ query }, { tools: [{ name: 'x' }] })
    expect(problem?.message).toBe(`${sentence} Describe in a few words what the tool should do.`)
  })

  it('has no candidates if nothing matched at all', () => {
    const tools = [{ name: 'git_log', description: 'Shows the history of a branch' }]
    const nothing = { hits: [], candidates: [], confidence: 'low' }
    expect(search({ query: 'cook dinner' }, { tools })).toMatchObject(nothing)
    expect(search({ query: 'cook dinner' }, { tools: [] })).toMatchObject(nothing)
  })

  it.each([
    [0.96, 'high', 5],
    [0.95, 'high', 5],
    [0.5, 'medium', 5],
    [0.2, 'medium', 5],
    [0.1, 'low', 0],
    [Number.NaN, 'medium', 5],
  ] as const)('with the estimate %d of the ranker, has %s confidence', (estimate, level, hits) => {
    const fixed = fixedRanker()
    const ranker: Ranker = {
      ...fixed,
      rank: (query, options) => ({
        ...fixed.rank(query, options),
        confidence: estimate,
        minConfidentScore: Number.POSITIVE_INFINITY,
      }),
    }
    const selection = { confidence: { sure: 0.95, doubtful: 0.2 } }
    const setup = { tools: scored(9, 9, 9, 9, 9, 9), ranker, selection }
    const outcome = search({ query: 'x' }, setup)
    expect(outcome.confidence).toBe(level)
    expect([outcome.hits, outcome.candidates].map(({ length }) => length)).toEqual([hits, 5 - hits])
  })

  it('keeps candidates regardless of the score band, up to the limit', () => {
    const fixed = fixedRanker()
    const ranker: Ranker = {
      ...fixed,
      rank: (query, options) => ({ ...fixed.rank(query, options), confidence: 0 }),
    }
    const setup: Setup = {
      tools: scored(10, 1, 1, 1),
      ranker,
      status: ({ name }) => (name === 'tool_1' ? 'always-on' : 'loaded'),
    }
    expect(
      search({ query: 'x', limit: 2 }, setup).candidates.map(({ tool, status }) => [
        tool.name,
        status,
      ]),
    ).toEqual([
      ['tool_0', 'candidate'],
      ['tool_1', 'always-on'],
      ['tool_2', 'candidate'],
    ])
    expect(search({ query: 'x', limit: 0 }, setup)).toMatchObject({ hits: [], candidates: [] })
  })

  it.each([
    ['select:git_log', 'high'],
    ['git_log', 'high'],
    ['mcp__git__', 'high'],
    ['use git_log to grow tomatoes', 'high'],
    ['select:git_lgo', 'low'],
    ['', 'low'],
    ['?!', 'low'],
  ])('for the query %j has %s confidence', (query, level) => {
    const tools = [{ name: 'git_log' }, { name: 'mcp__git__show' }]
    expect(search({ query }, { tools }).confidence).toBe(level)
  })

  it('suggests a query made of words of tools that rank after the candidates', () => {
    const tools = [
      ...['a', 'b', 'c', 'd', 'e'].map((name) => ({
        name,
        description: 'Grow a branch with a nest behind a garden shed',
      })),
      { name: 'prune_tree', description: 'Cut a branch' },
      { name: 'prune_hedge', description: 'Cut a branch' },
      ...Array.from({ length: 20 }, (_, at) => ({ name: `other_${at}` })),
    ]
    const query = 'a nest was in the tree with the branch that grows behind our old garden shed'
    const setup = { tools, selection: { confidence: { sure: 1, doubtful: 1 } } }
    const { candidates, suggestion } = search({ query }, { ...setup, ranker: doubting() })
    expect(candidates).toHaveLength(5)
    expect(suggestion).toBe('prune tree')
    const secret = ['prune_tree', 'prune_hedge']
    const hidden = search({ query }, { ...setup, ranker: doubting(), secret })
    expect(JSON.stringify(hidden)).not.toContain('prune')

    function doubting(): Ranker {
      const fielded = fieldedRanker()
      return {
        ...fielded,
        rank: (words, options) => ({ ...fielded.rank(words, options), confidence: 0 }),
      }
    }
  })

  it('answers a query that is a whole document', () => {
    const tools = Array.from({ length: 30 }, (_, at) => ({
      name: `git_log_${at}`,
      description: 'Shows the history of a branch',
    }))
    const query = 'Behind the garden shed grow tomatoes, near a branch of the old tree.\n'.repeat(
      500,
    )
    const { hits, candidates } = search({ query }, { tools })
    expect(hits.length + candidates.length).toBe(5)
  })

  it('returns only tools with every required word', () => {
    const tools = [
      { name: 'git_log', description: 'Shows history' },
      { name: 'svn_log', description: 'Shows history' },
      { name: 'hub_log', description: 'Shows history', searchHint: 'git' },
    ]
    expect(names(search({ query: '+git history' }, { tools })).toSorted()).toEqual([
      'git_log',
      'hub_log',
    ])
    expect(names(search({ query: '+git +cooking history' }, { tools }))).toEqual([])
    expect(
      names(search({ query: '+git history' }, { tools, finders: [words({ requiredIn: 'name' })] })),
    ).toEqual(['git_log'])
  })

  it('suggests similar names if nothing was found', () => {
    const tools = [{ name: 'git_log' }, { name: 'mail_send' }]
    expect(search({ query: 'cook dinner' }, { tools }).closest).toEqual([])
    expect(search({ query: 'gitlog' }, { tools }).closest).toEqual(['git_log'])
  })

  it('suggests no similar names for a query that is longer than any name', () => {
    const tools = [{ name: 'x'.repeat(100) }]
    const ranker: Ranker = { ...fixedRanker(), rank: () => ({ hits: [] }) }
    const close = (length: number) =>
      search({ query: 'x'.repeat(length) }, { tools, ranker }).closest
    expect(close(80)).toEqual(['x'.repeat(100)])
    expect(close(81)).toEqual([])
  })

  it('explains the score of each hit only if requested', () => {
    const tools = [{ name: 'git_log', description: 'Shows the history' }]
    expect(search({ query: 'history' }, { tools }).hits[0]).not.toHaveProperty('parts')
    const [hit] = search({ query: 'history', explain: true }, { tools }).hits
    const sum = hit!.parts!.reduce((total, { weight }) => total + weight, 0)
    expect(sum).toBeCloseTo(hit!.score!, 5)
    expect(hit!.parts![0]).toMatchObject({ field: 'description' })
  })
})

describe('runSearch with always-on tools', () => {
  const status = (tool: Tool): HitStatus => (tool.loading === 'eager' ? 'always-on' : 'loaded')

  it('returns them without using up the limit', () => {
    const tools: ToolDefinition[] = [
      ...scored(10, 9, 8).map((tool): ToolDefinition => ({ ...tool, loading: 'eager' })),
      ...scored(7, 6, 5).map((tool) => ({ ...tool, name: `hidden_${tool.name}` })),
    ]
    const setup: Setup = { tools, status, ranker: fixedRanker(), selection: { band: 0 } }
    expect(names(search({ query: 'x', limit: 2 }, setup))).toEqual([
      'tool_0',
      'tool_1',
      'hidden_tool_0',
      'hidden_tool_1',
    ])
  })

  it('counts them towards the limit if the preset says so', () => {
    const tools: ToolDefinition[] = [
      ...scored(10, 9).map((tool): ToolDefinition => ({ ...tool, loading: 'eager' })),
      ...scored(7, 6).map((tool) => ({ ...tool, name: `hidden_${tool.name}` })),
    ]
    const finders = [words({ eager: 'count' })]
    const setup: Setup = { tools, status, ranker: fixedRanker(), selection: { band: 0 }, finders }
    expect(names(search({ query: 'x', limit: 3 }, setup))).toEqual([
      'tool_0',
      'tool_1',
      'hidden_tool_0',
    ])
  })

  it('finds a deferred tool behind any number of them', () => {
    const eager = Array.from({ length: 60 }, (_, index) => 100 - index)
    const tools: ToolDefinition[] = [
      ...scored(...eager).map((tool): ToolDefinition => ({ ...tool, loading: 'eager' })),
      { name: 'hidden', tags: ['40'] },
    ]
    const setup: Setup = { tools, status, ranker: fixedRanker(), selection: { band: 0.4 } }
    expect(names(search({ query: 'x' }, setup))).toContain('hidden')
  })

  it('leaves them out if only deferrable tools are searched', () => {
    const tools: ToolDefinition[] = [
      { name: 'git_log', description: 'history', loading: 'eager' },
      { name: 'git_diff', description: 'history' },
    ]
    const finders = [byPrefix({ eager: 'skip' }), words({ eager: 'skip' })]
    expect(names(search({ query: 'history' }, { tools, status, finders }))).toEqual(['git_diff'])
    expect(names(search({ query: 'git_l' }, { tools, status, finders }))).toEqual([])
  })

  it('reports the status of each hit', () => {
    const tools: ToolDefinition[] = [{ name: 'git_log', loading: 'eager' }, { name: 'git_diff' }]
    const outcome = search({ query: 'select:git_log,git_diff' }, { tools, status })
    expect(outcome.hits.map((hit) => hit.status)).toEqual(['always-on', 'loaded'])
  })
})

describe('runSearch by name', () => {
  const tools = [
    { name: 'read_file', description: 'Reads' },
    { name: 'read_file_lines', description: 'read_file read_file read_file' },
    { name: 'mcp__git__log' },
    { name: 'mcp__git__diff' },
    { name: 'mcp__hub__log' },
  ]

  it('returns only the tool whose full name is the query', () => {
    for (const query of ['read_file', '"read_file"', '`read_file`', ' read_file ']) {
      const outcome = search({ query }, { tools })
      expect(outcome.form).toBe('name')
      expect(names(outcome)).toEqual(['read_file'])
      expect(outcome.hits[0]).not.toHaveProperty('score')
    }
  })

  it('treats a name like any other keyword if no finder reads names', () => {
    const outcome = search({ query: 'read_file' }, { tools, finders: [words({ names: false })] })
    expect(outcome.form).toBe('words')
    expect(names(outcome)).toContain('read_file')
  })

  it('returns all tools with a name prefix, sorted by name, up to the limit', () => {
    const outcome = search({ query: 'mcp__git__' }, { tools })
    expect(outcome.form).toBe('prefix')
    expect(names(outcome)).toEqual(['mcp__git__diff', 'mcp__git__log'])
    expect(names(search({ query: 'mcp__', limit: 2 }, { tools }))).toEqual([
      'mcp__git__diff',
      'mcp__git__log',
    ])
  })

  it.each([
    ['__', 'read_f', 'words'],
    ['__', 'mcp__g', 'prefix'],
    ['', 'read_f', 'prefix'],
    ['', 'mcp__git more', 'words'],
  ])('with prefixes that contain %j interprets %j as %s', (containing, query, form) => {
    const finders = [byPrefix({ containing, eager: 'add' }), words({})]
    expect(search({ query }, { tools, finders }).form).toBe(form)
  })
})

describe('runSearch by select', () => {
  const tools = Array.from({ length: 60 }, (_, index) => ({ name: `tool_${index}` }))

  it('returns the selected tools once each, in the order of the query', () => {
    const outcome = search({ query: 'select:tool_3, tool_1 ,"tool_2",tool_3' }, { tools })
    expect(outcome.form).toBe('select')
    expect(names(outcome)).toEqual(['tool_3', 'tool_1', 'tool_2'])
    expect(outcome).toMatchObject({ missing: [], omitted: { count: 0 } })
  })

  it('ignores the limit', () => {
    const asked = tools.slice(0, 30).map(({ name }) => name)
    const outcome = search({ query: `select:${asked.join(',')}`, limit: 1 }, { tools })
    expect(names(outcome)).toEqual(asked)
    expect(outcome.omitted.count).toBe(0)
  })

  it('has a separate cap and names the tools that exceed it', () => {
    const asked = tools.map(({ name }) => name)
    const outcome = search({ query: `select:${asked.join(',')}` }, { tools })
    expect(names(outcome)).toEqual(asked.slice(0, 50))
    expect(outcome).toMatchObject({
      omitted: { count: 10, names: asked.slice(50) },
      missing: [],
    })
  })

  it('does not check names beyond the cap', () => {
    const finders = [bySelect({ most: 2 })]
    const outcome = search({ query: 'select:tool_1,nope,tool_2,nada' }, { tools, finders })
    expect(names(outcome)).toEqual(['tool_1'])
    expect(outcome.missing.map(({ name }) => name)).toEqual(['nope'])
    expect(outcome.omitted).toEqual({ count: 2, names: ['tool_2', 'nada'] })
  })

  it('suggests similar names for the first 20 missing names only', () => {
    const missing = Array.from({ length: 25 }, (_, i) => `git_log_${i}`)
    const outcome = search(
      { query: `select:${missing.join(',')}` },
      { tools: [{ name: 'git_log' }], finders: [bySelect()] },
    )
    expect(outcome.missing.map(({ name }) => name)).toEqual(missing)
    expect(outcome.missing.filter(({ closest }) => closest.length > 0)).toHaveLength(20)
  })

  it('returns the existing tools and suggests similar names for missing ones', () => {
    const setup = { tools: [{ name: 'git_log' }, { name: 'mail_send' }] }
    const outcome = search({ query: 'select:git_lgo,mail_send,zzz' }, setup)
    expect(names(outcome)).toEqual(['mail_send'])
    expect(outcome.missing).toEqual([
      { name: 'git_lgo', closest: ['git_log'] },
      { name: 'zzz', closest: [] },
    ])
    expect(outcome.closest).toEqual([])
  })
})

describe('runSearch with a blank query', () => {
  const tools = Array.from({ length: 10 }, (_, index) => ({ name: `tool_${9 - index}` }))

  it.each(['', '  ', '+', '"" ...', 'select:', 'select: , '])(
    'reports a problem for %j',
    (query) => {
      const outcome = search({ query }, { tools })
      expect(outcome).toMatchObject({ query, form: 'blank', hits: [] })
      expect(outcome.problem?.code).toBe('blank_query')
    },
  )

  it('returns nothing and reports no problem if the preset ignores it', () => {
    const outcome = search({ query: '' }, { tools, finders: [ignoreBlank] })
    expect(outcome).toMatchObject({ form: 'blank', hits: [] })
    expect(outcome).not.toHaveProperty('problem')
  })

  it('returns the first tools of the catalogue if the preset browses', () => {
    const outcome = search({ query: '', limit: 3 }, { tools, finders: [browse] })
    expect(outcome.form).toBe('browse')
    expect(names(outcome)).toEqual(['tool_9', 'tool_8', 'tool_7'])
  })
})

describe('runSearch with tools that the caller may not see', () => {
  const tools = [
    { name: 'git_log', description: 'Shows the history' },
    { name: 'git_secret', description: 'Shows the history' },
  ]
  const secret = ['git_secret']

  it.each([
    'history',
    'git_secret',
    'select:git_secret',
    'select:git_secre',
    'git_secre',
    'mcp__git',
    '+secret history',
    '',
  ])('does not reveal them for %j', (query) => {
    for (const blank of [rejectBlank, browse]) {
      const finders = [blank, ...unified.finders]
      const outcome = search({ query, explain: true }, { tools, secret, finders })
      const json = JSON.stringify({ ...outcome, query: '', missing: [] })
      expect(json).not.toContain('git_secret')
      expect(outcome.missing.flatMap(({ closest }) => closest)).not.toContain('git_secret')
      expect(outcome.deferrable).toBe(1)
    }
  })

  it('reports them as missing', () => {
    const outcome = search({ query: 'select:git_secret' }, { tools, secret })
    expect(outcome.missing.map(({ name }) => name)).toEqual(['git_secret'])
  })

  it('does not reveal them by a name prefix', () => {
    const setup = { tools: [{ name: 'mcp__a__x' }, { name: 'mcp__a__y' }], secret: ['mcp__a__y'] }
    expect(names(search({ query: 'mcp__a__' }, setup))).toEqual(['mcp__a__x'])
  })
})

describe('outcome of runSearch', () => {
  it('has default values for fields that do not apply', () => {
    const tools = [{ name: 'git_log', description: 'Shows the history' }]
    for (const query of ['history', 'git_log', 'select:git_log']) {
      const { hits, form: _form, ...rest } = search({ query }, { tools })
      expect(hits).toHaveLength(1)
      expect(rest).toEqual({
        query,
        confidence: expect.stringMatching(/high|medium/),
        candidates: [],
        missing: [],
        omitted: { count: 0, names: [] },
        closest: [],
        notReady: [],
        deferrable: 1,
        remaining: 0,
        repeats: 0,
      })
    }
  })

  it('names servers that are not ready, with and without hits', () => {
    const notReady: SourceState[] = [{ source: 'mcp:hub', state: 'connecting' }]
    const setup = { tools: [{ name: 'git_log' }], notReady }
    expect(search({ query: 'git_log' }, setup).notReady).toEqual(notReady)
    expect(search({ query: 'dinner' }, setup).notReady).toEqual(notReady)
  })

  it('counts the deferrable and the remaining tools', () => {
    const tools = [{ name: 'git_log' }, { name: 'git_diff' }, { name: 'mail_send' }]
    expect(search({ query: 'git_log' }, { tools })).toMatchObject({ deferrable: 3, remaining: 2 })
  })

  it('finds nothing in an empty catalogue', () => {
    for (const query of ['git', 'select:git', 'mcp__']) {
      expect(search({ query }, { tools: [] })).toMatchObject({ hits: [], deferrable: 0 })
    }
  })
})
