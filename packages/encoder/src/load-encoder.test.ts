import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createToolSearch, hybridRanker } from 'toolsearch'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Encoder, type EncoderOptions, loadEncoder } from './load-encoder.ts'

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
  it('finds a tool described in other words', async () => {
    const { encoder, errors } = open()
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
    const { encoder } = open()
    await Promise.all(['weather', 'weather 天気'].map(encoder.prepare))
    expect(Math.hypot(...encoder.embed('weather', 'query')!)).toBeCloseTo(1, 5)
    expect(Math.hypot(...encoder.embed('weather 天気', 'query')!)).toBeCloseTo(7 / 9, 5)
    expect(encoder.dimensions).toBe(384)
  })

  it('answers a query before the documents that were requested earlier', async () => {
    const { encoder } = open()
    const order: string[] = []
    encoder.onVector((text) => order.push(text))
    const texts = Array.from(
      { length: 64 },
      (_, at) => `document ${at} ${'about something '.repeat(30)}`,
    )
    for (const text of texts) encoder.embed(text)
    await encoder.prepare('urgent')
    expect(encoder.embed('urgent', 'query')).toBeDefined()
    expect(order.length).toBeLessThan(texts.length)
  })

  it('reads the vectors of tools from the cache in the next process', async () => {
    const script = `
      import { loadEncoder } from ${JSON.stringify(new URL('./load-encoder.ts', import.meta.url).href)}
      const encoder = loadEncoder({ cacheDir: ${JSON.stringify(folder)}, timeoutMs: 60_000 })
      encoder.embed('a tool')
      await encoder.settled()
      process.stdout.write(JSON.stringify([...encoder.embed('a tool')].slice(0, 3)))
    `
    const { encoder } = open({ cacheDir: folder })
    await document(encoder, 'a tool')
    await encoder.settled()
    const first = encoder.embed('a tool')!
    await expect.poll(() => readdirSync(folder)).toHaveLength(1)
    await encoder.close()
    const [file] = readdirSync(folder)
    const { size, mtimeMs } = statSync(join(folder, file!))
    const second = execFileSync(
      process.execPath,
      ['--import', 'tsx', '--conditions=@toolsearch/source', '--input-type=module', '-e', script],
      { encoding: 'utf8' },
    )
    expect(JSON.parse(second)).toHaveLength(3)
    for (const [at, value] of (JSON.parse(second) as number[]).entries()) {
      expect(value).toBeCloseTo(first[at]!, 2)
    }
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
