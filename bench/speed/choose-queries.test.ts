import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { chooseQueries, readBenchQueries } from './choose-queries.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-speed-'))

function writeSet(name: string, queries: readonly string[]): void {
  mkdirSync(join(folder, name), { recursive: true })
  const lines = queries.map((query) => JSON.stringify({ query, relevant: [] }))
  writeFileSync(join(folder, name, 'queries.jsonl'), lines.join('\n'))
}

describe('readBenchQueries', () => {
  it('names the sets it needs if the folder has none of them', () => {
    expect(() => readBenchQueries(folder)).toThrow('expected at least one of azure-mcp')
  })

  it('measures the same queries when other data sets appear in the folder', () => {
    writeSet('azure-mcp', ['list storage accounts'])
    const before = readBenchQueries(folder)
    writeSet('other-set', ['delete everything now'])
    expect(readBenchQueries(folder)).toEqual(before)
    expect(before).toEqual([{ text: 'list storage accounts', kind: 'short' }])
  })

  it('keeps queries in other languages apart', () => {
    writeSet('tldr-zh', ['压缩文件'])
    expect(readBenchQueries(folder)).toContainEqual({ text: '压缩文件', kind: 'foreign' })
  })
})

describe('chooseQueries', () => {
  it('leaves out single words and very long texts, and mixes the kinds', () => {
    const english = [
      ['one', 'two words', 'three words here', 'a sentence of at least seven words here'],
    ]
    expect(chooseQueries([...english, ['word '.repeat(50)]], [['uno', 'dos']])).toEqual([
      { text: 'two words', kind: 'short' },
      { text: 'a sentence of at least seven words here', kind: 'sentence' },
      { text: 'uno', kind: 'foreign' },
      { text: 'three words here', kind: 'short' },
      { text: 'dos', kind: 'foreign' },
    ])
  })
})
