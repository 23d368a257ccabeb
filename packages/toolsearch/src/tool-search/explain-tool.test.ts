import { describe, expect, it } from 'vitest'
import { createToolSearch } from '../index.ts'
import { lexiconBytes } from '../languages/lexicon.fixtures.ts'
import { createLexicon, fieldedRanker, type Ranker, translatingRanker } from '../rankers.ts'

const tools = [
  { name: 'mcp__mail__send_mail', description: 'Send an email to somebody' },
  { name: 'mcp__mail__read_mail', description: 'Read an email' },
  { name: 'mcp__mail__list_folders', description: 'List the folders of the mailbox' },
  { name: 'mcp__chat__send_message', description: 'Send a message to a channel' },
  { name: 'mcp__chat__archive', description: 'Archive a channel, with a note by mail to all' },
]
const toolSearch = createToolSearch({ tools, selection: { band: 0.4 } })

describe('toolSearch.explain', () => {
  it('explains a returned tool by parts that add up to its score, largest first', () => {
    const why = toolSearch.explain('send mail', 'mcp__mail__send_mail')
    expect(why).toMatchObject({ verdict: 'returned', rank: 1 })
    expect(why.parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(why.score!, 9)
    expect(why.parts.map(({ weight }) => weight)).toEqual(
      why.parts.map(({ weight }) => weight).toSorted((a, b) => b - a),
    )
    expect(why.text).toMatch(/^mcp__mail__send_mail was returned \(rank 1 of \d, score [\d.]+: /)
  })

  it('names the synonym that matched instead of the word of the query', () => {
    const why = toolSearch.explain('fetch mail', 'mcp__mail__read_mail')
    expect(why.parts).toContainEqual(
      expect.objectContaining({ term: 'fetch', found: 'read', match: 'synonym' }),
    )
    expect(why.text).toContain('"fetch" as "read"')
  })

  it('shows the word of the query and its translation', () => {
    const lexicon = createLexicon(lexiconBytes())
    const search = createToolSearch({
      tools: [{ name: 'read_file', description: 'Read the contents of a file' }],
      ranker: () => translatingRanker({ ranker: fieldedRanker(), lexicon }),
    })
    const why = search.explain('die Datei', 'read_file')
    expect(why.parts).toContainEqual(
      expect.objectContaining({ term: 'file', translatedFrom: 'Datei' }),
    )
    expect(why.text).toContain('"Datei" → "file"')
  })

  it.each([
    ['send mail', 'mcp__mail__send_mial', 'unknown', /Similar names: mcp__mail__send_mail/],
    ['+folders send', 'mcp__mail__send_mail', 'lacks-required', /every required word: \+folders/],
    ['weather', 'mcp__mail__send_mail', 'no-match', /nothing in common with the query/],
    ['send mail', 'mcp__chat__archive', 'below-band', /below the minimum of [\d.]+, too far/],
    ['select:mcp__mail__read_mail', 'mcp__mail__send_mail', 'not-searched', /selects other tools/],
    ['mcp__mail__send_mail', 'mcp__mail__send_mail', 'returned', /asks for .* by name/],
    [
      'repaint the garage door near the channel',
      'mcp__chat__archive',
      'doubtful',
      /^No sure match\. mcp__chat__archive is a candidate and was not loaded \(rank 2 of 2, /,
    ],
  ] as const)(
    'for the query %j and the tool %s returns the verdict %s',
    (query, name, verdict, text) => {
      const why = toolSearch.explain(query, name)
      expect(why.verdict).toBe(verdict)
      expect(why.text).toMatch(text)
    },
  )

  it('names the limit that a tool ranked below', () => {
    const why = toolSearch.explain('email', 'mcp__mail__send_mail', { limit: 1 })
    expect(why).toMatchObject({ verdict: 'below-limit', rank: 2 })
    expect(why.text).toContain('below the limit of 1')
  })

  it('distinguishes a tool that the caller may not use from one that does not exist', () => {
    const visible = ['mcp__mail__read_mail']
    const why = toolSearch.explain('send mail', 'mcp__mail__send_mail', { visible })
    expect(why.verdict).toBe('concealed')
  })
})

describe('toolSearch.search with nearMisses', () => {
  const nearMisses = (query: string, limit = 5, count = 5) =>
    toolSearch.search(query, { limit, nearMisses: count }).nearMisses!

  it('explains the highest-ranked tools that were not returned, best first', () => {
    const misses = nearMisses('send mail', 1)
    expect(misses.slice(0, 2).map(({ tool, rank }) => [tool, rank])).toEqual([
      ['mcp__chat__send_message', 2],
      ['mcp__mail__read_mail', 3],
    ])
    expect(misses).toEqual(
      misses.map(({ tool }) => toolSearch.explain('send mail', tool, { limit: 1 })),
    )
    expect(nearMisses('send mail', 1, 1)).toEqual(misses.slice(0, 1))
  })

  it('does not change the hits', () => {
    for (const query of ['send mail', '+folders send mail', 'repaint the garage door', 'email']) {
      const { nearMisses: _, ...outcome } = toolSearch.search(query, { nearMisses: 5 })
      expect(outcome).toEqual(toolSearch.search(query))
    }
  })

  it('includes tools that lack a required word', () => {
    const [lacking] = nearMisses('+folders send mail')
    expect(lacking).toMatchObject({ tool: 'mcp__mail__send_mail', verdict: 'lacks-required' })
  })

  it('starts after the candidates of a doubtful search', () => {
    const [next] = nearMisses('repaint the garage door near the channel', 1)
    expect(next).toMatchObject({ verdict: 'below-limit', rank: 2 })
  })

  it('says that a tool is too doubtful next to a named one', () => {
    const doubting = (): Ranker => {
      const fielded = fieldedRanker()
      return {
        ...fielded,
        rank: (query, options) => ({ ...fielded.rank(query, options), served: 0 }),
      }
    }
    const query = 'mcp__mail__read_mail in the channel'
    const outcome = createToolSearch({ tools, ranker: doubting }).search(query, { nearMisses: 1 })
    expect(outcome).toMatchObject({ confidence: 'high', candidates: [] })
    expect(outcome.hits.map(({ tool }) => tool.name)).toEqual(['mcp__mail__read_mail'])
    expect(outcome.nearMisses).toMatchObject([{ verdict: 'doubtful' }])
    expect(outcome.nearMisses![0]!.text).toContain('too doubtful')
  })

  it.each(['select:mcp__mail__send_mail', 'mcp__mail__send_mail', ' '])(
    'returns an empty list for %j, which is not ranked',
    (query) => {
      expect(nearMisses(query)).toEqual([])
    },
  )

  it('omits the list if it was not requested', () => {
    expect(toolSearch.search('send mail')).not.toHaveProperty('nearMisses')
  })
})

describe('an explained search', () => {
  let rankings = 0
  const counting = (): Ranker => {
    const ranker = fieldedRanker()
    const rank: Ranker['rank'] = (...args) => {
      rankings++
      return ranker.rank(...args)
    }
    return { ...ranker, rank }
  }

  it.each([
    ['a doubtful query', 'repaint the garage door near the channel', 1],
    ['a query with a required word', '+folders send mail', 0],
  ])('ranks once for %s, also with near misses', (_, query, candidates) => {
    const counted = createToolSearch({ tools, ranker: counting })
    rankings = 0
    const outcome = counted.search(query, { limit: 1, nearMisses: 3 })
    expect(rankings).toBe(1)
    expect(outcome.candidates).toHaveLength(candidates)
    expect(outcome.nearMisses!.length).toBeGreaterThan(0)
  })

  it('has near misses of both layers that lack a required word', async () => {
    const session = await createToolSearch({ tools: tools.slice(1) }).session('a', {
      tools: [tools[0]!],
    })
    const options = { nearMisses: 5 }
    const { outcome } = await session.search({ query: '+folders send mail' }, options)
    const lacking = outcome.nearMisses!.filter(({ verdict }) => verdict === 'lacks-required')
    expect(lacking.map(({ tool }) => tool)).toEqual(
      expect.arrayContaining(['mcp__mail__send_mail', 'mcp__mail__read_mail']),
    )
  })

  it('ranks once and explains its hits like toolSearch.explain', () => {
    const counted = createToolSearch({ tools, ranker: counting, selection: { band: 0 } })
    rankings = 0
    const outcome = counted.search('send mail', { limit: 2, explain: true, nearMisses: 2 })
    expect(rankings).toBe(1)
    expect(outcome.hits).toHaveLength(2)
    expect(outcome.nearMisses).toHaveLength(2)
    for (const { tool, parts } of outcome.hits) {
      expect(parts).toEqual(counted.explain('send mail', tool.name, { limit: 2 }).parts)
    }
  })

  it('works with a ranker that cannot explain its scores', () => {
    const plain = (): Ranker => {
      const ranker = fieldedRanker()
      return { ...ranker, rank: (...args) => ({ hits: ranker.rank(...args).hits }) }
    }
    const search = createToolSearch({ tools, ranker: plain, selection: { band: 0 } })
    const { hits, nearMisses } = search.search('send mail', {
      limit: 1,
      explain: true,
      nearMisses: 1,
    })
    expect(hits[0]).toMatchObject({ tool: { name: 'mcp__mail__send_mail' }, parts: [] })
    expect(nearMisses).toMatchObject([{ verdict: 'below-limit', rank: 2, parts: [] }])
  })
})
