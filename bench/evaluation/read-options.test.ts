import { describe, expect, it } from 'vitest'
import { InputError } from '../input-error.ts'
import { RANKERS } from './rankers.ts'
import { HELP, readOptions } from './read-options.ts'

describe('readOptions', () => {
  it('uses the set of this repository if no files are named', () => {
    const options = readOptions([], '/')
    expect(options).toMatchObject({ ranker: 'unified', worst: 5, limit: 10, json: false })
    expect(options).not.toHaveProperty('files')
  })

  it('accepts several files per option and repeated options', () => {
    const args = ['--tools', 'a', 'b', '--queries', 'c', '--tools', '/d', '--json']
    expect(readOptions(args, '/from')).toMatchObject({
      files: { tools: ['/from/a', '/from/b', '/d'], queries: ['/from/c'] },
      json: true,
    })
  })

  it('reads the other options', () => {
    const args = ['--ranker=bm25', '--baseline', 'nexo', '--min-recall', '0.8']
    expect(
      readOptions([...args, '--min-doubted', '1', '--worst', '0', '--limit', '5'], '/'),
    ).toMatchObject({
      ranker: 'bm25',
      baseline: 'nexo',
      minRecall: 0.8,
      minDoubted: 1,
      worst: 0,
      limit: 5,
    })
  })

  it.each<[string[], string]>([
    [['--colour'], "Unknown option '--colour'"],
    [['stray'], "Unexpected argument 'stray'"],
    [['--json', 'stray'], "Unexpected argument 'stray'"],
    [['--tools', 'a'], 'Use --tools and --queries together, or neither'],
    [['--queries', 'a'], 'Use --tools and --queries together, or neither'],
    [['--baseline', 'toString'], 'There is no ranker "toString"'],
    [['--min-recall', '80'], '--min-recall must be a share from 0 to 1, not "80"'],
    [['--min-doubted', 'all'], '--min-doubted must be a share from 0 to 1, not "all"'],
    [['--min-recall='], '--min-recall must be a share'],
    [['--worst', '1.5'], '--worst must be a whole number from 0'],
    [['--limit', '11'], '--limit must be a whole number from 1 to 10, not "11"'],
  ])('rejects %j with a message', (args, message) => {
    expect(() => readOptions(args, '/')).toThrow(InputError)
    expect(() => readOptions(args, '/')).toThrow(message)
  })

  it('lists every ranker in the help', () => {
    for (const name of Object.keys(RANKERS)) expect(HELP).toContain(name)
  })
})
