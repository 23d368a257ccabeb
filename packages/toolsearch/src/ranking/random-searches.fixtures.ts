import fc from 'fast-check'
import { readDefinition } from '../catalogue/read-definition.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { RankOptions } from './ranker.ts'

export interface RandomSearches {
  readonly tools: fc.Arbitrary<Tool[]>
  readonly query: fc.Arbitrary<string>
  readonly options: fc.Arbitrary<RankOptions>
}

/** Catalogues of tools made of the given words, and queries of these and other words. */
export function randomSearches(
  words: readonly string[],
  otherWords: readonly string[],
): RandomSearches {
  const some = fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 5 })
  const tool = fc
    .record({ name: some, description: some })
    .map(({ name, description }) =>
      readDefinition({ name: name.join('_'), description: description.join(' ') }),
    )
  return {
    tools: fc.uniqueArray(tool, { selector: ({ name }) => name, minLength: 2, maxLength: 30 }),
    query: fc
      .array(fc.constantFrom(...words, ...otherWords), { minLength: 1, maxLength: 5 })
      .map((list) => list.join(' ')),
    options: fc.record({
      limit: fc.constantFrom(1, 3, 100),
      ties: fc.constantFrom('name', 'catalogue'),
      explain: fc.constant(true),
    }),
  }
}
