import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { endpointEmbedder, functionEmbedder } from './embedders.ts'

interface RecordedRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: IncomingMessage['headers']
  readonly body: { model: string; input: string[] }
}

/** A local server for one test, and the requests it received. */
async function serve(
  reply: (request: RecordedRequest, response: ServerResponse) => void,
): Promise<{ baseUrl: string; requests: RecordedRequest[] }> {
  const requests: RecordedRequest[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method, url, headers } = request
    const one = { method, url, headers, body: JSON.parse(Buffer.concat(chunks).toString()) }
    requests.push(one)
    reply(one, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, requests }
}

/** Responds like OpenAI. The vector of a text is its length and 1. */
function openAi({ body }: RecordedRequest, response: ServerResponse): void {
  const data = body.input.map((text, index) => {
    return { object: 'embedding', index, embedding: [text.length, 1] }
  })
  const usage = { prompt_tokens: 5, total_tokens: 5 }
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ object: 'list', data, model: body.model, usage }))
}

describe('endpointEmbedder', () => {
  it("sends requests in OpenAI's format", async () => {
    const { baseUrl, requests } = await serve(openAi)
    const embedder = endpointEmbedder({ baseUrl, model: 'small', dimensions: 2 })
    expect(await embedder.embed(['one', 'three'], { kind: 'document' })).toEqual([
      [3, 1],
      [5, 1],
    ])
    expect(requests).toMatchObject([
      {
        method: 'POST',
        url: '/v1/embeddings',
        headers: { 'content-type': 'application/json' },
        body: { model: 'small', input: ['one', 'three'] },
      },
    ])
    expect(requests[0]?.headers.authorization).toBeUndefined()
  })

  it('sends the API key', async () => {
    const { baseUrl, requests } = await serve(openAi)
    const embedder = endpointEmbedder({ baseUrl, model: 'small', dimensions: 2, apiKey: 'sesame' })
    await embedder.embed(['one'], { kind: 'query' })
    expect(requests[0]?.headers.authorization).toBe('Bearer sesame')
  })

  it('accepts a base URL with a trailing slash', async () => {
    const { baseUrl, requests } = await serve(openAi)
    const embedder = endpointEmbedder({ baseUrl: `${baseUrl}/`, model: 'small', dimensions: 2 })
    await embedder.embed(['one'], { kind: 'query' })
    expect(requests[0]?.url).toBe('/v1/embeddings')
  })

  it('returns vectors in the order of the texts, regardless of the order of the response', async () => {
    const { baseUrl } = await serve((_, response) => {
      const data = [2, 0, 10, 1, 9, 3, 8, 4, 7, 5, 6].map((index) => ({
        index,
        embedding: [index],
      }))
      response.end(JSON.stringify({ data }))
    })
    const texts = Array.from({ length: 11 }, (_, i) => `text ${i}`)
    const embedder = endpointEmbedder({ baseUrl, model: 'small', dimensions: 1 })
    const vectors = await embedder.embed(texts, { kind: 'document' })
    expect(vectors.map((vector) => vector[0])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  it.each([400, 401, 429, 500, 503])('rejects on status %d and names it', async (status) => {
    const { baseUrl } = await serve((request, response) => {
      response.statusCode = status
      openAi(request, response)
    })
    const embedder = endpointEmbedder({ baseUrl, model: 'small', dimensions: 2 })
    await expect(embedder.embed(['one'], { kind: 'query' })).rejects.toThrow(
      `${baseUrl}/embeddings responded with status ${status}`,
    )
  })

  it.each([
    ['is not JSON', '<html>'],
    ['has no vectors', '{"error":"no such model"}'],
    ['is null', 'null'],
  ])('rejects if the response %s', async (_, body) => {
    const { baseUrl } = await serve((_request, response) => response.end(body))
    const embedder = endpointEmbedder({ baseUrl, model: 'small', dimensions: 2 })
    await expect(embedder.embed(['one'], { kind: 'query' })).rejects.toThrow()
  })

  it('rejects if the endpoint is unreachable', async () => {
    const embedder = endpointEmbedder({
      ...{ baseUrl: 'http://127.0.0.1:1/v1', model: 'small', dimensions: 2 },
    })
    await expect(embedder.embed(['one'], { kind: 'query' })).rejects.toThrow()
  })

  it('aborts the request when the signal fires', async () => {
    const controller = new AbortController()
    let hangUp = () => {}
    const hungUp = new Promise<void>((resolve) => {
      hangUp = resolve
    })
    const { baseUrl } = await serve((_, response) => {
      response.on('close', hangUp)
      controller.abort()
    })
    const embedder = endpointEmbedder({ baseUrl, model: 'small', dimensions: 2 })
    const { signal } = controller
    await expect(embedder.embed(['one'], { kind: 'query', signal })).rejects.toThrow(/abort/i)
    await hungUp
  })

  it('uses the fetch function from the options', async () => {
    const urls: unknown[] = []
    const embedder = endpointEmbedder({
      baseUrl: 'https://example.test/v1',
      model: 'small',
      dimensions: 1,
      fetch: async (url) => {
        urls.push(url)
        return Response.json({ data: [{ index: 0, embedding: [7] }] })
      },
    })
    expect(await embedder.embed(['one'], { kind: 'query' })).toEqual([[7]])
    expect(urls).toEqual(['https://example.test/v1/embeddings'])
  })

  it('has a different id for each model and base URL', () => {
    const at = (baseUrl: string, model: string) =>
      endpointEmbedder({ baseUrl, model, dimensions: 2, maxBatch: 7 })
    const embedders = [
      at('http://one.test/v1', 'small'),
      at('http://two.test/v1', 'small'),
      at('http://one.test/v1', 'large'),
    ]
    expect(new Set(embedders.map(({ id }) => id)).size).toBe(3)
    expect(embedders[0]).toMatchObject({ dimensions: 2, maxBatch: 7 })
  })
})

describe('functionEmbedder', () => {
  it('combines the function with an id and dimensions', async () => {
    const embed = async (texts: readonly string[]) =>
      texts.map((text) => Float32Array.of(text.length))
    const embedder = functionEmbedder(embed, { id: 'length', dimensions: 1, maxBatch: 5 })
    expect(embedder).toMatchObject({ id: 'length', dimensions: 1, maxBatch: 5 })
    expect(await embedder.embed(['one', 'three'], { kind: 'document' })).toEqual([
      Float32Array.of(3),
      Float32Array.of(5),
    ])
  })
})
