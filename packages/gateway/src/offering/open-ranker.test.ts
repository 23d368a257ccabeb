import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createToolSearch } from 'toolsearch'
import { createStaticEmbedder } from 'toolsearch-semantics'
import { afterEach, describe, expect, it } from 'vitest'
import { type OpenRanker, type OpenRankerOptions, openRanker } from './open-ranker.ts'

const TOOLS = [
  { name: 'refund_payment', description: 'Return a charge to a card' },
  { name: 'rotate_image', description: 'Turn a picture by 90 degrees' },
]

type Config = Parameters<typeof openRanker>[0]

const opened: OpenRanker[] = []
const servers: Server[] = []

afterEach(async () => {
  await Promise.all(opened.splice(0).map((ranker) => ranker.close()))
  for (const server of servers.splice(0)) server.close()
})

async function open(
  config: Pick<Config, 'ranking'> & Partial<Config>,
  options: Partial<OpenRankerOptions> = {},
) {
  const warnings: string[] = []
  const warn = (message: string) => void warnings.push(message)
  const ranker = await openRanker(
    { translateQueries: true, ...config },
    { cacheDir: false, warn, ...options },
  )
  opened.push(ranker)
  const { create } = ranker
  const toolSearch = createToolSearch({ tools: TOOLS, ranker: create })
  const session = await toolSearch.session('a')
  const search = async (query: string) => {
    const { outcome } = await session.search({ query })
    return [...outcome.hits, ...outcome.candidates][0]?.tool.name
  }
  return { ranker, search, warnings }
}

/** A server with OpenAI's API: vectors of texts about money point in one direction, all others in another. */
async function serveEmbeddings(): Promise<{ url: string; keys: (string | undefined)[] }> {
  const keys: (string | undefined)[] = []
  const server = createServer(async (request, response) => {
    keys.push(request.headers.authorization)
    let body = ''
    for await (const piece of request) body += piece
    const { input } = JSON.parse(body) as { input: string[] }
    const data = input.map((text, index) => ({
      index,
      embedding: /money|charge|cash/.test(text) ? [1, 0] : [0, 1],
    }))
    response.end(JSON.stringify({ data }))
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, keys }
}

describe('openRanker', () => {
  it('ranks by keywords only', async () => {
    const { search } = await open({ ranking: 'words' })
    expect(await search('rotate')).toBe('rotate_image')
    expect(await search('money')).toBeUndefined()
  })

  it.each(['words', 'words-and-meaning'] as const)(
    'finds English tools for a German query with %s',
    async (ranking) => {
      const { search } = await open({ ranking })
      expect(await search('Drehe das Bild')).toBe('rotate_image')
    },
  )

  it('translates nothing if the configuration says so', async () => {
    const { search } = await open({ ranking: 'words', translateQueries: false })
    expect(await search('Drehe das Bild')).toBeUndefined()
  })

  it.each<[string, () => Uint8Array]>([
    [
      'missing',
      () => {
        throw new Error('ENOENT: no such file, open lexicon.bin')
      },
    ],
    ['cut', () => new Uint8Array(7)],
  ])('searches without translation and warns once if the lexicon is %s', async (_, readLexicon) => {
    const { ranker, search, warnings } = await open({ ranking: 'words' }, { readLexicon })
    ranker.create()
    expect(await search('rotate')).toBe('rotate_image')
    expect(warnings).toEqual([
      expect.stringContaining('Queries in other languages are not translated.'),
    ])
  })

  it('searches by keywords and warns once if the table is damaged', async () => {
    const loadTable = () => createStaticEmbedder(new Uint8Array(100))
    const { search, warnings } = await open({ ranking: 'words-and-meaning' }, { loadTable })
    expect(await search('rotate')).toBe('rotate_image')
    expect(warnings).toEqual([expect.stringContaining('The embedding table cannot be loaded')])
  })

  it('ranks by keywords and semantics', async () => {
    const { search, warnings } = await open({ ranking: 'words-and-meaning' })
    expect(await search('photo')).toBe('rotate_image')
    expect(warnings).toEqual([])
  })

  it('ranks by the sentence encoder if it is installed', async () => {
    const { ranker, search, warnings } = await open({ ranking: 'encoder' })
    expect(await search('rotate an image')).toBe('rotate_image')
    await expect
      .poll(() => search('give the customer their money back'), { timeout: 30_000 })
      .toBe('refund_payment')
    // On a busy machine, the first answer takes longer than a search waits for.
    expect(warnings.filter((warning) => !warning.includes('did not respond within'))).toEqual([])
    await ranker.close()
  })

  it('says how to install the encoder if it is missing, and ranks by the table', async () => {
    const importEncoder = async () => {
      throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    }
    const { search, warnings } = await open({ ranking: 'encoder' }, { importEncoder })
    expect(await search('photo')).toBe('rotate_image')
    expect(warnings).toEqual([expect.stringContaining('npm install toolsearch-encoder')])
  })

  it('says why the encoder cannot be loaded, and ranks by the table', async () => {
    const importEncoder = async () => {
      throw new Error('Unexpected token')
    }
    const { search, warnings } = await open({ ranking: 'encoder' }, { importEncoder })
    expect(await search('photo')).toBe('rotate_image')
    expect(warnings).toEqual([expect.stringContaining('Unexpected token')])
  })

  it('ranks by an embedding model of its own', async () => {
    const { url, keys } = await serveEmbeddings()
    const embedder = { url, model: 'm', apiKey: 'secret', centred: false }
    const { search, warnings } = await open({ ranking: 'embedder', embedder })
    await expect.poll(() => search('qqq cash qqq')).toBe('refund_payment')
    expect(new Set(keys)).toEqual(new Set(['Bearer secret']))
    expect(warnings).toEqual([])
  })

  it('warns once that an embedding model does not respond, and ranks by the table', async () => {
    const { url } = await serveEmbeddings()
    const [server] = servers.splice(0)
    await new Promise((resolve) => server!.close(resolve))
    const embedder = { url, model: 'm', centred: false }
    const { search, warnings } = await open({ ranking: 'embedder', embedder })
    for (const query of ['photo', 'a photo', 'photo']) {
      expect(await search(query)).toBe('rotate_image')
    }
    expect(warnings).toEqual([expect.stringContaining(`The embedding model "m" at ${url} failed`)])
  })
})
