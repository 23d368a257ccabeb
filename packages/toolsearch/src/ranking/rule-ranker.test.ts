import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { TextVectors } from '../semantics/embedder.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { hybridRanker } from './hybrid-ranker.ts'
import { namesOf, readWords } from './ranker.cases.ts'
import type { Ranker, Ranking } from './ranker.ts'
import { coreOf } from './rule-ranker.ts'

function filled(ranker: Ranker, descriptions: Readonly<Record<string, string>>): Ranker {
  for (const [name, description] of Object.entries(descriptions)) {
    ranker.set(readDefinition({ name, description }))
  }
  return ranker
}

function rank(ranker: Ranker, text: string): Ranking {
  return ranker.rank(readWords(text), { limit: 5, ties: 'name', explain: true })
}

/** The parts of every hit add up to its score. */
function expectSums({ hits, explain }: Ranking): void {
  expect(hits.length).toBeGreaterThan(0)
  for (const { tool, score } of hits) {
    const parts = explain!(tool.name)
    expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(score, 9)
  }
}

describe('rules of fieldedRanker', () => {
  const ranker = filled(fieldedRanker(), {
    find_flights: 'Find flights between two cities by price',
    book_flight: 'Book a flight between two cities',
    cancel_flight: 'Cancel the booking of a flight between two cities',
    list_flight_prices: 'List prices of flights between two cities over time',
    track_flight: 'Track a flight between two cities',
    compare_flights: 'Compare the prices of flights between two cities',
    send_mail: 'Send a mail to a colleague',
    write_file: 'Write text to a file',
    create_spreadsheet: 'Create a spreadsheet with rows',
    open_xlsx_report: 'Open a report about Peru',
  })
  const several = 'find the price of flights between two cities by day and then mail a colleague'

  it('give each need of a query a place', () => {
    expect(namesOf(ranker, several)).toContain('send_mail')
  })

  it('name the needs and explain scores by them', () => {
    const ranking = rank(ranker, several)
    const needs = ['find the price of flights between two cities by day', 'mail a colleague']
    expect(ranking.rules).toContainEqual({ rule: 'needs', needs })
    expect(ranking.explain!('send_mail')).toContainEqual(
      expect.objectContaining({ need: 'mail a colleague', term: 'mail' }),
    )
    expectSums(ranking)
  })

  it('treat a file to write as a need, not as a subject', () => {
    const ranking = rank(ranker, 'save the list of prices to peru_report.xlsx')
    expect(ranking.rules).toContainEqual({
      rule: 'file',
      path: 'peru_report.xlsx',
      need: 'create spreadsheet',
    })
    const names = ranking.hits.map(({ tool }) => tool.name)
    expect(names).toContain('create_spreadsheet')
    expect(names).not.toContain('open_xlsx_report')
    expectSums(ranking)
  })

  it('name the file of a query that asks for nothing else', () => {
    const ranking = rank(ranker, 'save it to list.xlsx')
    expect(ranking.hits[0]!.tool.name).toBe('create_spreadsheet')
    expect(ranking.rules).toEqual([{ rule: 'file', path: 'list.xlsx', need: 'create spreadsheet' }])
  })

  it('leave a query with a single need alone', () => {
    const { rules, ...ranking } = rank(ranker, 'send mail')
    expect(rules).toBeUndefined()
    expect(ranking.hits).toEqual(rank(coreOf(ranker)!, 'send mail').hits)
  })

  it('accept a query that is a whole document', () => {
    const document = `${several}. Save the notes to notes.txt.\n\n`.repeat(200)
    expect(rank(ranker, document).hits).toHaveLength(5)
    expectSums(rank(ranker, document))
  })
})

/** Every tool is about tickets of Zendesk, and a little about its own action. */
const ACTIONS = ['merge', 'create', 'delete', 'list', 'close', 'assign', 'tag', 'export']
const tickets: TextVectors = {
  id: 'tickets',
  dimensions: 10,
  embed(text) {
    const vector = new Float32Array(10)
    const words: readonly string[] = text.toLowerCase().match(/[a-z]+/g) ?? []
    if (words.includes('zendesk')) vector[9] = 2
    if (words.includes('ticket') || words.includes('case')) vector[8] = 1
    for (const word of words) {
      const action = ACTIONS.indexOf(word === 'unite' ? 'merge' : word)
      if (action >= 0) vector[action] = 0.4
    }
    const length = Math.hypot(...vector)
    return length === 0 ? vector : vector.map((value) => value / length)
  },
}

describe('rules of hybridRanker', () => {
  const names = ACTIONS.flatMap((action) => [`${action}_zendesk_ticket`, `zendesk_${action}_all`])
  const ranker = filled(
    hybridRanker({ vectors: tickets }),
    Object.fromEntries(names.map((name) => [name, ''])),
  )

  it('compare tools that resemble each other by what sets them apart', () => {
    const ranking = rank(ranker, 'unite two cases in Zendesk')
    expect(ranking.rules).toContainEqual({ rule: 'alike', tools: names.length })
    expect(ranking.hits[0]!.tool.name).toContain('merge')
    const share = (ranker: Ranker, name: string) => {
      const all = { limit: 100, ties: 'name' } as const
      const { hits } = ranker.rank(readWords('unite two cases in Zendesk'), all)
      return hits.find(({ tool }) => tool.name === name)!.score / hits[0]!.score
    }
    const other = 'zendesk_export_all'
    expect(share(ranker, other)).toBeLessThan(share(coreOf(ranker)!, other))
    expectSums(ranking)
  })

  it('do not compare tools that have little in common', () => {
    const mixed = filled(
      hybridRanker({ vectors: tickets }),
      Object.fromEntries(
        ACTIONS.flatMap((action) => [
          [action, ''],
          [`${action}_other`, ''],
        ]),
      ),
    )
    expect(rank(mixed, 'merge and close').rules).toBeUndefined()
  })
})
