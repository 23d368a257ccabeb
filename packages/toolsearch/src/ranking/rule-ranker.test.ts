import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { fieldedRanker } from './fielded-ranker.ts'
import { namesOf, readWords } from './ranker.cases.ts'
import type { Ranker, Ranking } from './ranker.ts'
import { coreOf } from './rule-ranker.ts'
import { expectSums } from './server-rules.fixtures.ts'

function filled(ranker: Ranker, descriptions: Readonly<Record<string, string>>): Ranker {
  for (const [name, description] of Object.entries(descriptions)) {
    ranker.set(readDefinition({ name, description }))
  }
  return ranker
}

function rank(ranker: Ranker, text: string): Ranking {
  return ranker.rank(readWords(text), { limit: 5, ties: 'name', explain: true })
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
