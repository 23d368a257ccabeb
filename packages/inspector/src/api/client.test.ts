import { describe, expect, it } from 'vitest'
import { createClient } from './client.ts'

function clientOf(answer: () => Response | Promise<Response>, token?: string) {
  const requests: { url: string; init: RequestInit }[] = []
  const client = createClient(
    () => token,
    async (url, init) => {
      requests.push({ url: String(url), init: init! })
      return answer()
    },
  )
  return { client, requests }
}

describe('createClient', () => {
  it('puts parameters into the URL, except undefined ones', async () => {
    const { client, requests } = clientOf(() => Response.json({}))
    await client.search({ query: '+a b&c', limit: 5, ranker: undefined })
    await client.tool('files/read?')
    expect(requests.map(({ url }) => url)).toEqual([
      'api/search?query=%2Ba+b%26c&limit=5',
      'api/tools/files%2Fread%3F',
    ])
  })

  it('sends the token with each request', async () => {
    const { client, requests } = clientOf(() => Response.json({}), 'secret')
    await client.save({ query: 'a', relevant: [] })
    const headers = new Headers(requests[0]!.init.headers)
    expect(headers.get('authorization')).toBe('Bearer secret')
    expect(headers.get('content-type')).toBe('application/json')
  })

  it.each([
    [
      'a missing token',
      () => Response.json({ error: 'A token.' }, { status: 401 }),
      'token',
      'A token.',
    ],
    [
      'an unknown tool',
      () => Response.json({ error: 'No tool.' }, { status: 404 }),
      'refused',
      'No tool.',
    ],
    [
      'a response that is not JSON',
      () => new Response('<html>', { status: 502 }),
      'refused',
      /status 502/,
    ],
    [
      'no response',
      () => Promise.reject(new TypeError('fetch failed')),
      'unreachable',
      /is not responding/,
    ],
  ])('rejects with the cause: %s', async (_, answer, code, message) => {
    const { client } = clientOf(answer)
    await expect(client.overview()).rejects.toMatchObject({ code })
    await expect(client.overview()).rejects.toThrow(message)
  })

  it('rejects a token with invalid characters', async () => {
    const { client } = clientOf(() => Response.json({}), '日本')
    await expect(client.overview()).rejects.toMatchObject({ code: 'token' })
  })
})
