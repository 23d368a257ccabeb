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
})
