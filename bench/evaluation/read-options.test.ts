import { describe, expect, it } from 'vitest'
import { InputError } from './input-error.ts'
import { RANKERS } from './rankers.ts'
import { HELP, readOptions } from './read-options.ts'
import { readQueries, unknownNames } from './read-queries.ts'
import { readTools } from './read-tools.ts'

describe('readOptions', () => {
  it('takes our own set when no files are given, and all its names are there', async () => {
    const options = readOptions([], '/')
    expect(options).toMatchObject({ ranker: 'unified', worst: 5, limit: 10, json: false })
    const { tools, mended } = await readTools(options.tools)
    const queries = await readQueries(options.queries)
    expect(mended).toBe(0)
    expect(unknownNames(queries, tools)).toEqual([])
    expect(new Set(queries.map((query) => query.query)).size).toBe(queries.length)
  })

  it('takes several files for one option and the option several times', () => {
    const args = ['--tools', 'a', 'b', '--queries', 'c', '--tools', '/d', '--json']
    expect(readOptions(args, '/from')).toMatchObject({
      tools: ['/from/a', '/from/b', '/d'],
      queries: ['/from/c'],
      json: true,
    })
  })

  it('reads the other options', () => {
    const args = ['--ranker=bm25', '--baseline', 'nexo', '--min-recall', '0.8']
    expect(
      readOptions([...args, '--min-abstention', '1', '--worst', '0', '--limit', '5'], '/'),
    ).toMatchObject({
      ranker: 'bm25',
      baseline: 'nexo',
      minRecall: 0.8,
      minAbstention: 1,
      worst: 0,
      limit: 5,
    })
  })

  it.each<[string[], string]>([
    [['--colour'], "Unknown option '--colour'"],
    [['stray'], "Unexpected argument 'stray'"],
    [['--json', 'stray'], "Unexpected argument 'stray'"],
    [['--tools', 'a'], 'Give both --tools and --queries, or neither'],
    [['--queries', 'a'], 'Give both --tools and --queries, or neither'],
    [['--baseline', 'toString'], 'No ranker is called "toString"'],
    [['--min-recall', '80'], '--min-recall must be a share from 0 to 1, got "80"'],
    [['--min-abstention', 'all'], '--min-abstention must be a share from 0 to 1, got "all"'],
    [['--min-recall='], '--min-recall must be a share'],
    [['--worst', '1.5'], '--worst must be a whole number from 0'],
    [['--limit', '11'], '--limit must be a whole number from 1 to 10, got "11"'],
  ])('refuses %j with a message', (args, message) => {
    expect(() => readOptions(args, '/')).toThrow(InputError)
    expect(() => readOptions(args, '/')).toThrow(message)
  })

  it('names every ranker in its help', () => {
    for (const name of Object.keys(RANKERS)) expect(HELP).toContain(name)
  })
})
