import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readQueries, unknownNames } from './read-queries.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolsearch-eval-'))

function read(text: string) {
  const file = join(folder, 'queries.jsonl')
  writeFileSync(file, text)
  return readQueries([file])
}

describe('readQueries', () => {
  it('reads known fields and ignores others', () => {
    const label = { query: 'q', relevant: ['a'], groups: [['a']] }
    const line = { ...label, kind: 'typo', language: 'de', half: 'b' }
    expect(read(JSON.stringify({ ...line, split: 'dev' }))).toEqual([line])
    expect(read('{"query":"q","relevant":[]}')).toEqual([{ query: 'q', relevant: [] }])
  })

  it('reads several files in order', () => {
    const file = join(folder, 'more.jsonl')
    writeFileSync(file, '{"query":"q","relevant":[]}\n')
    expect(readQueries([file, file])).toHaveLength(2)
  })

  it.each([
    ['{"relevant":[]}', ':1: "query" is missing; it must be a string'],
    ['{"query":"q"}', ':1: "relevant" is missing; it must be a list of tool names, [] if'],
    ['{"query":"q","relevant":"a"}', ':1: "relevant" must be a list of tool names'],
    ['{"query":"q","relevant":[],"groups":["a"]}', ':1: "groups" must be a list of lists'],
    ['{"query":"q","relevant":[]}\n{"query":"q","relevant":[],"kind":1}', ':2: "kind" must be'],
    ['{"query":"q","relevant":[],"half":"c"}', ':1: "half" must be "a" or "b"'],
    ['{"query":"q","relevant":[]}\n\nnull', ':3: expected one JSON object per line'],
    ['{"query":"q","relevant":[]', ':1: not valid JSON'],
    ['', 'No queries in'],
  ])('rejects %s with file, line and reason', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it('rejects a file that does not exist', () => {
    expect(() => readQueries([join(folder, 'none')])).toThrow('none: cannot be read: ENOENT')
  })
})

describe('unknownNames', () => {
  it('lists relevant names that match no tool, without duplicates', () => {
    const queries = [
      { query: '1', relevant: ['a', 'x'] },
      { query: '2', relevant: ['x', 'y'], groups: [['x', 'y']] },
    ]
    expect(unknownNames(queries, [{ name: 'a' }])).toEqual(['x', 'y'])
  })
})
