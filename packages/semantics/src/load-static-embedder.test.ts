import { readFileSync, statSync } from 'node:fs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { loadStaticEmbedder as fetchStaticEmbedder } from './load-static-embedder.browser.ts'
import { loadStaticEmbedder } from './load-static-embedder.ts'

const TABLE = new URL('../data/table.bin', import.meta.url)
const embedder = loadStaticEmbedder()

function similarity(a: string, b: string): number {
  const [left, right] = [embedder.embed(a), embedder.embed(b)]
  return left.reduce((sum, value, i) => sum + value * right[i]!, 0)
}

describe('loadStaticEmbedder', () => {
  it('loads a table of at most 10 MB', () => {
    expect(statSync(TABLE).size).toBeLessThanOrEqual(10_000_000)
  })

  it('has an id with its revision and dimensions', () => {
    expect(embedder.id).toMatch(/^toolsearch-semantics-\d+-\d+d$/)
    expect(embedder.id).toContain(`-${embedder.dimensions}d`)
  })

  it.each([
    'refund a payment',
    'x',
    'create_issue getHTTPServerURL',
    '🚀 launch the rocket 👩‍👩‍👧',
    '天気を調べる',
    'погода в Москве',
    '\ud800 lone \udc00 surrogates',
    'word '.repeat(2000),
    'a'.repeat(10_000),
    '\u0000\u200b\ufeff mail',
  ])('embeds %j as a vector of length one at most, always the same', (text) => {
    const vector = embedder.embed(text)
    const length = Math.hypot(...vector)
    expect(vector).toHaveLength(embedder.dimensions)
    expect(length).toBeLessThan(1 + 1e-5)
    expect(embedder.embed(text)).toEqual(vector)
  })

  it('embeds a text without words as zero', () => {
    expect(embedder.embed('… !').every((value) => value === 0)).toBe(true)
  })

  it('embeds a text as the normalised sum of its pieces', () => {
    const text = 'cancel my subscription'
    const sum = new Float32Array(embedder.dimensions)
    for (const { vector } of embedder.pieces(text)) {
      for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!
    }
    const length = Math.hypot(...sum)
    embedder.embed(text).forEach((value, i) => {
      expect(value).toBeCloseTo(sum[i]! / length, 5)
    })
  })

  it.each([
    ['the buyer wants his cash returned', 'refund a payment', 'list payment methods'],
    [
      'what will it be like outside tomorrow',
      'get the weather forecast',
      'create a calendar event',
    ],
    ['tell my team I am late', 'send a chat message', 'delete a channel'],
    ['who is on holiday next week', 'list employee vacations', 'list unpaid invoices'],
    ['shut down the machine', 'stop a virtual machine instance', 'create a storage bucket'],
    ['find a place to eat', 'search restaurants nearby', 'search source code'],
    [
      'how much is one euro in yen',
      'convert currency at the exchange rate',
      'convert a document to pdf',
    ],
    [
      'the build is broken, log the problem',
      'create an issue in the tracker',
      'merge a pull request',
    ],
    ['make the picture smaller', 'resize an image', 'transcribe an audio file'],
    ['put it on my agenda', 'create a calendar event', 'send an email'],
    ['throw this file away', 'delete a file', 'upload a file'],
    ['what does this word mean in German', 'translate text', 'summarise a text'],
    ['stop paying for the plan every month', 'cancel a subscription', 'create a customer'],
    ['getUserProfile', 'fetch the profile of a user', 'play a song'],
  ])('finds %j more similar to %j than to %j', (request, wanted, other) => {
    expect(similarity(request, wanted)).toBeGreaterThan(similarity(request, other))
  })
})

describe('loadStaticEmbedder in a browser', () => {
  afterEach(() => vi.unstubAllGlobals())

  it('fetches the table and returns the same vectors', async () => {
    vi.stubGlobal('fetch', async (url: URL) => new Response(readFileSync(url)))
    const fetched = await fetchStaticEmbedder()
    expect(fetched.embed('send a mail')).toEqual(embedder.embed('send a mail'))
  })

  it('names the URL if the table is missing', async () => {
    vi.stubGlobal('fetch', async () => new Response('', { status: 404 }))
    await expect(fetchStaticEmbedder('/table.bin')).rejects.toThrow(
      '/table.bin responded with status 404',
    )
  })
})
