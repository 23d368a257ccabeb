import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readScores, saveScores } from './saved-scores.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-scores-'))
const file = join(folder, 'scores.json')

it('reads what was saved', () => {
  saveScores(file, { first: [0, 0.5, 1] })
  expect(readScores(file, [{ name: 'first', queries: [1, 2, 3] }])).toEqual({ first: [0, 0.5, 1] })
})

it('rejects scores of other queries', () => {
  saveScores(file, { first: [0, 0.5, 1] })
  const read = (name: string, count: number) => () =>
    readScores(file, [{ name, queries: Array(count).fill('') }])
  expect(read('first', 2)).toThrow('has 3 scores for first, not 2')
  expect(read('second', 3)).toThrow('has 0 scores for second, not 3')
  expect(() => readScores(join(folder, 'none'), [])).toThrow('none: cannot be read: ENOENT')
})
