import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { SavedReport } from './api.ts'
import { closeAll, open } from './inspection.fixtures.ts'

afterEach(closeAll)

const post = (body: unknown): RequestInit => ({ method: 'POST', body: JSON.stringify(body) })

describe('/api/saved', () => {
  it('is empty at first, and does not create the file', async () => {
    const { ask, folder } = await open()
    const { status, data } = await ask<SavedReport>('/api/saved')
    expect(status).toBe(200)
    expect(data).toEqual({
      file: join(folder, 'toolsearch.queries.jsonl'),
      ranker: 'unified',
      queries: [],
      problems: [],
    })
    await expect(readFile(data.file)).rejects.toThrow('ENOENT')
  })

  it('saves queries and reports how well the search performs on them', async () => {
    const { ask } = await open()
    await ask('/api/saved', post({ query: 'send a letter', relevant: ['mail__send_mail'] }))
    await ask('/api/saved', post({ query: 'repaint the garage', relevant: [] }))
    const { data } = await ask<SavedReport>(
      '/api/saved',
      post({ query: 'show folders', relevant: ['mail__read_mail'] }),
    )
    expect(data).toMatchObject({ recallAt1: 0.5, recallAt5: 0.5, doubted: 1 })
    expect(data.queries.map(({ query, isServed }) => [query, isServed])).toEqual([
      ['send a letter', true],
      ['repaint the garage', true],
      ['show folders', false],
    ])
    expect(data.queries[2]!.found).toEqual(['mail__list_folders'])
    expect(await readFile(data.file, 'utf8')).toBe(
      '{"query":"send a letter","relevant":["mail__send_mail"]}\n' +
        '{"query":"repaint the garage","relevant":[]}\n' +
        '{"query":"show folders","relevant":["mail__read_mail"]}\n',
    )
    const other = await ask<SavedReport>('/api/saved?ranker=bm25')
    expect(other.data).toMatchObject({ ranker: 'bm25', queries: [{}, {}, {}] })
  })

  it('replaces and removes a saved query', async () => {
    const { ask } = await open()
    await ask('/api/saved', post({ query: 'a', relevant: ['x'] }))
    await ask('/api/saved', post({ query: 'b', relevant: ['y'] }))
    const replaced = await ask<SavedReport>('/api/saved', post({ query: 'a', relevant: ['z'] }))
    expect(replaced.data.queries.map(({ query, relevant }) => [query, ...relevant])).toEqual([
      ['a', 'z'],
      ['b', 'y'],
    ])
    const left = await ask<SavedReport>('/api/saved?query=a', { method: 'DELETE' })
    expect(left.data.queries.map(({ query }) => query)).toEqual(['b'])
    const gone = await ask<{ error: string }>('/api/saved?query=a', { method: 'DELETE' })
    expect(gone).toMatchObject({ status: 404, data: { error: 'The query "a" is not saved.' } })
  })

  it('keeps unparsable lines and additional fields of a query', async () => {
    const { ask, folder } = await open()
    const file = join(folder, 'toolsearch.queries.jsonl')
    const known = '{"query":"a","relevant":["x"],"kind":"typo"}'
    await writeFile(file, `\ufeff// mine\r\n\r\n${known}\r\n{"query":1}\n`)
    const { data } = await ask<SavedReport>('/api/saved', post({ query: 'a', relevant: ['y'] }))
    expect(data.queries).toMatchObject([{ query: 'a', unknown: ['y'] }])
    expect(data.problems).toMatchObject([{ line: 1 }, { line: 3, problem: '"query" is missing' }])
    expect(await readFile(file, 'utf8')).toBe(
      '// mine\n{"query":"a","relevant":["y"],"kind":"typo"}\n{"query":1}\n',
    )
  })

  it('keeps every query when many are saved at once', async () => {
    const { ask } = await open()
    const queries = Array.from({ length: 20 }, (_, at) => ({ query: `q${at}`, relevant: [] }))
    await Promise.all(queries.map((query) => ask('/api/saved', post(query))))
    const { data } = await ask<SavedReport>('/api/saved')
    expect(data.queries.map(({ query }) => query).toSorted()).toEqual(
      queries.map(({ query }) => query).toSorted(),
    )
  })

  it.each<[string, RequestInit, number, string]>([
    [
      'a body that is not JSON',
      { method: 'POST', body: 'nonsense' },
      400,
      'must be JSON such as {"query"',
    ],
    ['an empty body', { method: 'POST' }, 400, 'must be JSON'],
    ['a body without a query', post({ relevant: [] }), 400, '"query" must be a non-empty string'],
    [
      'a blank query',
      post({ query: ' ', relevant: [] }),
      400,
      '"query" must be a non-empty string',
    ],
    [
      'relevant tools in a string',
      post({ query: 'a', relevant: 'b' }),
      400,
      '"relevant" must be a list',
    ],
    [
      'relevant tools that are numbers',
      post({ query: 'a', relevant: [1] }),
      400,
      '"relevant" must be a list',
    ],
    ['a long query', post({ query: 'a'.repeat(2_001), relevant: [] }), 400, 'The maximum is 2000'],
    [
      'a body that is too large',
      post({ query: 'a', relevant: ['b'.repeat(70_000)] }),
      413,
      'The maximum is 64000',
    ],
    ['DELETE without a query', { method: 'DELETE' }, 400, 'The query is missing'],
    ['PUT', { method: 'PUT', body: '{}' }, 405, 'Use GET or POST or DELETE here.'],
  ])('rejects %s', async (_, init, status, words) => {
    const { ask } = await open()
    const answer = await ask<{ error: string }>('/api/saved', init)
    expect(answer.status).toBe(status)
    expect(answer.data.error).toContain(words)
  })

  it('answers with the error if the file cannot be read', async () => {
    const { ask } = await open(undefined, {
      saved: {
        file: 'x',
        read: async () => {
          throw new Error('EACCES: permission denied')
        },
        save: async () => {},
        remove: async () => true,
      },
    })
    const { status, data } = await ask<{ error: string }>('/api/saved')
    expect(status).toBe(500)
    expect(data.error).toBe('The gateway could not answer: EACCES: permission denied')
  })
})
