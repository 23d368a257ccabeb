import { createToolSearch } from 'toolsearch'
import { describe, expect, it } from 'vitest'
import { gatewayRanker } from './gateway-ranker.ts'

const tools = [
  { name: 'read_file', description: 'Read the contents of a file' },
  { name: 'send_email', description: 'Send an email to a person' },
]

function find(ranker: ReturnType<typeof gatewayRanker>, query: string): string[] {
  return createToolSearch({ tools, ranker })
    .search(query)
    .hits.map((hit) => hit.tool.name)
}

describe('gatewayRanker', () => {
  it.each(['words', 'words-and-meaning'] as const)(
    'finds English tools for a German query with %s',
    (ranking) => {
      const ranker = gatewayRanker({ ranking, translateQueries: true })
      expect(find(ranker, 'Lies die Datei')[0]).toBe('read_file')
    },
  )

  it('translates nothing if the configuration says so', () => {
    const ranker = gatewayRanker({ ranking: 'words', translateQueries: false })
    expect(find(ranker, 'Lies die Datei')).toEqual([])
  })

  it.each<[string, () => Uint8Array]>([
    [
      'missing',
      () => {
        throw new Error('ENOENT: no such file, open lexicon.bin')
      },
    ],
    ['cut', () => new Uint8Array(7)],
  ])('searches by words and warns once if the lexicon is %s', (_, readLexicon) => {
    const warnings: string[] = []
    const warn = (message: string) => void warnings.push(message)
    const ranker = gatewayRanker(
      { ranking: 'words', translateQueries: true },
      { readLexicon, warn },
    )
    expect(find(ranker, 'read a file')[0]).toBe('read_file')
    expect(find(ranker, 'send email')[0]).toBe('send_email')
    expect(warnings).toHaveLength(1)
    expect(warnings[0]).toContain('Queries in other languages are not translated.')
    expect(warnings[0]).toContain('lexicon')
  })
})
