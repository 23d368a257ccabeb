import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createToolSearch } from 'toolsearch'
import { hybridRanker } from 'toolsearch/rankers'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBuilt } from '../../../testing/is-built.ts'
import type { Encoder, EncoderOptions } from './load-encoder.ts'

// From the sources, each thread has to load a compiler first.
const { loadEncoder }: typeof import('./load-encoder.ts') = await import(
  isBuilt ? '../dist/load-encoder.js' : './load-encoder.ts'
)

const MODEL = new URL('../data/model.bin', import.meta.url)
const TOOLS = [
  { name: 'refund_payment', description: 'Return a charge to a card' },
  { name: 'rotate_image', description: 'Turn a picture by 90 degrees' },
  { name: 'list_invoices', description: 'Show all bills of an account' },
]

let folder: string
const opened: Encoder[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'encoder-'))
})

afterEach(async () => {
  await Promise.all(opened.splice(0).map((encoder) => encoder.close()))
})

function open(options: EncoderOptions = {}): { encoder: Encoder; errors: Error[] } {
  const errors: Error[] = []
  const encoder = loadEncoder({
    cacheDir: false,
    timeoutMs: 60_000,
    onError: (error) => errors.push(error),
    ...options,
  })
  opened.push(encoder)
  return { encoder, errors }
}

/** Resolves when the vector of a document is available. */
async function document(encoder: Encoder, text: string): Promise<void> {
  await expect.poll(() => encoder.embed(text)).toBeDefined()
}

describe('loadEncoder', () => {
  const errors: Error[] = []
  const encoder = loadEncoder({
    cacheDir: false,
    timeoutMs: 60_000,
    onError: (error) => errors.push(error),
  })
  afterAll(() => encoder.close())

  it('finds a tool described in other words', async () => {
    const toolSearch = createToolSearch({
      tools: TOOLS,
      activation: 'always',
      ranker: () => hybridRanker({ vectors: encoder }),
    })
    const session = await toolSearch.session('a')
    await encoder.settled()
    const { outcome } = await session.search({ query: 'give the customer their money back' })
    expect(outcome.hits[0]?.tool.name).toBe('refund_payment')
    expect(errors).toEqual([])
  })

  it('returns vectors of length one, and shorter ones for other scripts', async () => {
    await Promise.all(['weather', 'weather 天気'].map(encoder.prepare))
    expect(Math.hypot(...encoder.embed('weather', 'query')!)).toBeCloseTo(1, 5)
    expect(Math.hypot(...encoder.embed('weather 天気', 'query')!)).toBeCloseTo(7 / 9, 5)
    expect(encoder.dimensions).toBe(384)
  })

  it('answers a query before the documents that were requested earlier', async () => {
    const order: string[] = []
    encoder.onVector((text) => order.push(text))
    const texts = Array.from(
      { length: 32 },
      (_, at) => `document ${at} ${'about something '.repeat(30)}`,
    )
    for (const text of texts) encoder.embed(text)
    await encoder.prepare('urgent')
    expect(encoder.embed('urgent', 'query')).toBeDefined()
    expect(order.length).toBeLessThan(texts.length)
  })

  it('reads the vectors of tools from the cache of an earlier encoder', async () => {
    const { encoder: earlier } = open({ cacheDir: folder })
    await document(earlier, 'a tool')
    await earlier.settled()
    const first = earlier.embed('a tool')!
    const isStored = [expect.stringMatching(/\.vectors$/)]
    await expect.poll(() => readdirSync(folder)).toEqual(isStored)
    await earlier.close()
    const [file] = readdirSync(folder)
    const { size, mtimeMs } = statSync(join(folder, file!))

    const { encoder: next } = open({ cacheDir: folder })
    await document(next, 'a tool')
    await next.settled()
    const second = next.embed('a tool')!
    expect(second).toHaveLength(first.length)
    for (const [at, value] of second.entries()) expect(value).toBeCloseTo(first[at]!, 2)
    await next.close()
    expect(statSync(join(folder, file!))).toMatchObject({ size, mtimeMs })
  })

  it('says once that the cache cannot be written, and continues', async () => {
    const cacheDir = join(folder, 'occupied')
    writeFileSync(cacheDir, 'a file')
    const { encoder, errors } = open({ cacheDir })
    await document(encoder, 'one')
    await document(encoder, 'two')
    await expect.poll(() => errors.length).toBe(1)
    expect(errors[0]!.message).toContain(`Cannot store vectors in ${cacheDir}`)
  })

  it('ends its thread when it is closed, without reporting what was in progress', async () => {
    const { encoder, errors } = open()
    await encoder.prepare('a query')
    encoder.embed('a document')
    await encoder.close()
    await encoder.prepare('another query')
    await encoder.settled()
    expect(encoder.embed('another query', 'query')).toBeUndefined()
    expect(errors).toEqual([])
  })
})

describe('options of loadEncoder', () => {
  it.each([
    ['cacheDir', true],
    ['cacheDir', ''],
    ['timeoutMs', '1000'],
    ['timeoutMs', -1],
    ['onError', 'log'],
    ['file', 7],
    ['cachedir', '/tmp'],
  ])('rejects %s: %j', (option, value) => {
    expect(() => loadEncoder({ [option]: value } as EncoderOptions)).toThrow(
      expect.objectContaining({ code: 'invalid_option', option: expect.stringContaining(option) }),
    )
  })
})

describe('loadEncoder with weights that cannot be used', () => {
  const bytes = readFileSync(MODEL)
  const otherVersion = Buffer.from(bytes.subarray(0, 1_000))
  otherVersion.writeUInt32LE(99, 4)

  it.each([
    ['missing', undefined, /no such file/],
    ['cut off', bytes.subarray(0, 1_000_000), /incomplete or damaged/],
    ['of another version', otherVersion, /version 99 is not supported/],
  ])('reports once that the file is %s, and searches by keywords', async (_, content, message) => {
    const file = join(folder, 'model.bin')
    if (content) writeFileSync(file, content)
    const { encoder, errors } = open({ file })
    const toolSearch = createToolSearch({
      tools: TOOLS,
      activation: 'always',
      ranker: () => hybridRanker({ vectors: encoder }),
    })
    const session = await toolSearch.session('a')
    for (const query of ['refund a payment', 'refund payments']) {
      const { outcome } = await session.search({ query })
      expect(outcome.hits[0]?.tool.name).toBe('refund_payment')
    }
    expect(errors.map((error) => error.message)).toEqual([expect.stringMatching(message)])
  })
})
