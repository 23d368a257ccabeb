import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { createFieldedReader } from './fielded-reader.ts'
import { FIELDED_WEIGHTS } from './fielded-weights.ts'
import { createTermTable } from './term-table.ts'

describe('createFieldedReader', () => {
  it('numbers only the terms that it indexes, not those of a prefix of the name', () => {
    const terms = createTermTable()
    const reader = createFieldedReader(FIELDED_WEIGHTS, terms)
    const list = (prefix: string) =>
      readDefinition({ name: `mcp__${prefix}__list_files`, source: 'mcp:drive' })
    reader.readTool(list('user1'))
    const size = terms.size()
    for (let at = 2; at < 100; at++) reader.readTool(list(`user${at}`))
    expect(terms.size()).toBe(size)
    expect(reader.readTool(list('user7')).keys).toEqual([
      ['mcp', 'user', '7', 'list', 'file'],
      ['list', 'file'],
    ])
  })
  const reader = createFieldedReader(FIELDED_WEIGHTS, createTermTable())
  const weightOf = (description: string) => {
    const fields = reader.fieldsOf(readDefinition({ name: 'tool', description }))
    return fields.find(({ field }) => field === 'description')!
  }

  it('gives the words of a field no more weight together, however many there are', () => {
    const total = (words: number) => {
      const { terms, each } = weightOf(Array.from({ length: words }, (_, at) => `w${at}`).join(' '))
      return terms.length * each
    }
    expect(total(50)).toBeGreaterThan(total(25))
    expect(total(2_000)).toBeLessThan(total(50))
  })

  it('does not index promotional sentences, and counts them as text', () => {
    const honest = weightOf('Search for files.')
    const promoted = weightOf('Search for files. The best tool in the world for everything.')
    expect(promoted.terms).toEqual(honest.terms)
    expect(promoted.each).toBeLessThan(honest.each)
  })
})
