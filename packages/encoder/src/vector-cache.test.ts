import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openVectorCache } from './vector-cache.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vector-cache-'))
  file = join(folder, 'deep', 'x.vectors')
})

const open = (id = 'model', maxKept?: number) =>
  openVectorCache({ file, id, ...(maxKept !== undefined && { maxKept }) })
const vector = Float32Array.of(0.6, -0.8, 0, 0.1)

function expectClose(found: Float32Array | undefined): void {
  expect(found).toHaveLength(4)
  for (const [i, value] of vector.entries()) expect(found![i]).toBeCloseTo(value, 2)
}

describe('openVectorCache', () => {
  it('finds vectors again after it is opened anew', async () => {
    const cache = await open()
    expect(cache.get('a')).toBeUndefined()
    await cache.add(['a', 'b'], [vector, vector])
    expectClose(cache.get('a'))
    const again = await open()
    expectClose(again.get('a'))
    expectClose(again.get('b'))
    expect(again.get('c')).toBeUndefined()
  })

  it('keeps the vectors of two that write at the same time', async () => {
    await (await open()).add(['first'], [vector])
    const [one, two] = [await open(), await open()]
    await Promise.all([one.add(['one'], [vector]), two.add(['two'], [vector])])
    const again = await open()
    for (const text of ['first', 'one', 'two']) expectClose(again.get(text))
  })

  it('keeps a zero vector', async () => {
    await (await open()).add(['zero'], [new Float32Array(4)])
    expect((await open()).get('zero')).toEqual(new Float32Array(4))
  })

  it('ignores a cut-off end, and writes complete files afterwards', async () => {
    await (await open()).add(['a', 'b'], [vector, vector])
    const bytes = readFileSync(file)
    for (let cut = 1; cut < 30; cut++) {
      writeFileSync(file, bytes.subarray(0, bytes.length - cut))
      const cache = await open()
      expectClose(cache.get('a'))
      expect(cache.get('b')).toBeUndefined()
      await cache.add(['c'], [vector])
      const again = await open()
      expectClose(again.get('a'))
      expectClose(again.get('c'))
    }
  })

  it('ignores everything after a damaged record', async () => {
    await (await open()).add(['a', 'b'], [vector, vector])
    appendFileSync(file, 'garbage of another program')
    await (await open()).add(['c'], [vector])
    const again = await open()
    for (const text of ['a', 'b', 'c']) expectClose(again.get(text))
  })

  it.each([
    ['of another model', 'toolsearch vectors 1 "other"\n'],
    ['of another version', 'toolsearch vectors 2 "model"\n'],
    ['that is empty', ''],
  ])('replaces a file %s', async (_, content) => {
    await (await open()).add(['a'], [vector])
    const records = readFileSync(file).subarray('toolsearch vectors 1 "model"\n'.length)
    writeFileSync(file, Buffer.concat([Buffer.from(content), records]))
    const cache = await open()
    expect(cache.get('a')).toBeUndefined()
    await cache.add(['b'], [vector])
    const again = await open()
    expect(again.get('a')).toBeUndefined()
    expectClose(again.get('b'))
  })

  it('deletes vectors that were not used when there are too many', async () => {
    const texts = Array.from({ length: 10 }, (_, at) => `text ${at}`)
    await (await open()).add(
      texts,
      texts.map(() => vector),
    )
    const cache = await open('model', 10)
    cache.get('text 9')
    await cache.add(['new'], [vector])
    const again = await open()
    expectClose(again.get('text 9'))
    expectClose(again.get('new'))
    expect(texts.filter((text) => again.get(text)).length).toBe(4)
    expect(readdirSync(join(folder, 'deep'))).toEqual(['x.vectors'])
  })

  it('stays below its limit if all vectors were used', async () => {
    const cache = await open('model', 10)
    for (let at = 0; at < 100; at++) await cache.add([`text ${at}`], [vector])
    expect(statSync(file).size).toBeLessThan(1_000)
    expectClose((await open()).get('text 99'))
  })

  it('rejects if it cannot write, and still has the vectors', async () => {
    writeFileSync(join(folder, 'deep'), 'a file where the folder should be')
    const cache = await open()
    await expect(cache.add(['a'], [vector])).rejects.toThrow()
    expectClose(cache.get('a'))
    expect(existsSync(file)).toBe(false)
  })
})
