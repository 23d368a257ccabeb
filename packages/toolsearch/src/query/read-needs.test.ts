import { describe, expect, it } from 'vitest'
import { parseQuery } from './parse-query.ts'
import type { WordsQuery } from './query.ts'
import { readNeeds } from './read-needs.ts'

function needsOf(text: string) {
  const { whole, needs, files } = readNeeds(parseQuery(text) as WordsQuery)
  return {
    whole: whole.text,
    needs: needs.map((need) => need.text),
    files: files.map(({ path }) => path),
  }
}

describe('readNeeds', () => {
  it('returns a query with a single need as it is', () => {
    const query = parseQuery('+github list open issues') as WordsQuery
    expect(readNeeds(query)).toEqual({ whole: query, needs: [], files: [] })
    expect(readNeeds(query).whole).toBe(query)
  })

  it('divides a long query into its needs', () => {
    const text = 'find the cheapest flight to Rome and then mail the details to my colleague Ana'
    expect(needsOf(text)).toEqual({
      whole: text,
      needs: ['find the cheapest flight to Rome', 'mail the details to my colleague Ana'],
      files: [],
    })
  })

  it('takes the path of a file to write out of the query and adds the need to write it', () => {
    expect(needsOf('look up the population of Peru and save it to peru.xlsx')).toEqual({
      whole: 'look up the population of Peru and save it to',
      needs: ['look up the population of Peru and save it to', 'create spreadsheet'],
      files: ['peru.xlsx'],
    })
  })

  it.each(['save it to', 'then write the results into', 'export them as', 'put the output in'])(
    'leaves out the clause "%s", which the added need replaces',
    (clause) => {
      const text = `find all customers with unpaid invoices of last month, mail them to Anna, ${clause} a.xlsx`
      expect(needsOf(text).needs).toEqual([
        'find all customers with unpaid invoices of last month',
        'mail them to Anna',
        'create spreadsheet',
      ])
    },
  )

  it('is about the file alone if the query asks for nothing else', () => {
    expect(needsOf('save the results as report.xlsx')).toMatchObject({
      whole: 'create spreadsheet',
      needs: ['create spreadsheet'],
    })
    expect(needsOf('save it to a.xlsx, b.txt')).toMatchObject({
      whole: 'create spreadsheet, write file',
      needs: ['create spreadsheet', 'write file'],
    })
  })

  it('adds the same need once', () => {
    const { needs } = needsOf('write the names to a.txt and save the ages as b.txt')
    expect(needs.filter((need) => need === 'write file')).toHaveLength(1)
  })

  it('keeps required words', () => {
    const { whole } = readNeeds(parseQuery('+files save the list to a.txt') as WordsQuery)
    expect(whole.required).toEqual(['files'])
  })
})
