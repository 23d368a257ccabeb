import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressReach, REACH } from './address-reach.ts'
import type { FindAddresses } from './fetch-within-reach.ts'
import { oauthFetch } from './oauth-fetch.ts'

const CHUNK = Buffer.alloc(64 * 1024, 'x')
/** Bytes of an endless answer. */
let sent = 0
/** Requests that arrived at this machine. */
const received: string[] = []
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { method, url = '', headers } = request
  received.push(`${method} ${url} ${headers['x-own'] ?? ''} ${Buffer.concat(chunks)}`)
  const [, target] = /^\/to\?(.*)$/.exec(url) ?? []
  if (target) response.writeHead(307, { location: decodeURIComponent(target) }).end()
  else if (url === '/endless') {
    const write = () => {
      do sent += CHUNK.length
      while (response.write(CHUNK))
    }
    response.on('drain', write)
    write()
  } else response.setHeader('x-kept', 'yes').end('{"a":1}')
})
let port = 0
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ;({ port } = server.address() as AddressInfo)
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** A name server. A name with several answers gives another one each time. */
function names(known: Record<string, string[][]>): FindAddresses {
  return (host, _, callback) => {
    const answers = known[host] ?? [[host]]
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!
    callback(
      null,
      answer.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
}

const PUBLIC = { url: 'https://mcp.example.com/mcp', headers: { 'x-own': 'secret' } }
const known = { 'mcp.example.com': [['203.0.113.7']] }

describe('a server on the internet', () => {
  it.each([
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::]',
    'inside.example.com',
    'mixed.example.com',
    'localhost',
  ])('cannot have the gateway send requests to %s', async (host) => {
    received.length = 0
    const find = names({
      ...known,
      'inside.example.com': [['127.0.0.1']],
      'mixed.example.com': [['203.0.113.8', '127.0.0.1']],
      localhost: [['127.0.0.1']],
    })
    const send = oauthFetch(PUBLIC, { find })
    for (const method of ['GET', 'POST']) {
      const sent = send(`http://${host}:${port}/.well-known/x`, { method })
      await expect(sent).rejects.toThrow('is an internal address')
    }
    expect(received).toEqual([])
  })

  it('cannot change the address of a name after the check', async () => {
    const lookups: string[] = []
    const rebinding = names({ 'login.example': [['127.0.0.1'], ['203.0.113.8']] })
    const find: FindAddresses = (host, ...more) => {
      lookups.push(host)
      rebinding(host, ...more)
    }
    const send = oauthFetch({ url: `http://127.0.0.1:${port}/mcp`, headers: {} }, { find })
    // The only lookup is that of the connection, and it is the one that is checked.
    expect((await send(`http://login.example:${port}/`)).status).toBe(200)
    expect(lookups).toEqual(['127.0.0.1', 'login.example'])
  })

  it('does not come closer by giving its own name an address of this machine', async () => {
    received.length = 0
    const own = names({ 'mcp.example.com': [['127.0.0.1']] })
    const send = oauthFetch(PUBLIC, { find: own })
    await expect(send(`http://127.0.0.1:${port}/inside`)).rejects.toThrow('internal address')
    expect(received).toEqual([])
  })

  it('can name the issuer that is configured, wherever it is', async () => {
    const oauth = { grant: 'authorization_code', issuer: `http://127.0.0.1:${port}` } as const
    const send = oauthFetch({ ...PUBLIC, oauth }, { find: names(known) })
    expect((await send(`http://127.0.0.1:${port}/token`)).status).toBe(200)
    await expect(send(`http://127.0.0.1:${port + 1}/token`)).rejects.toThrow('internal address')
  })
})

describe('a server in the network of the gateway', () => {
  it('cannot have it send requests to itself', async () => {
    received.length = 0
    const url = 'http://mcp.internal/mcp'
    const send = oauthFetch(
      { url, headers: {} },
      { find: names({ 'mcp.internal': [['10.1.2.3']] }) },
    )
    await expect(send(`http://127.0.0.1:${port}/`)).rejects.toThrow('is an internal address')
    expect(received).toEqual([])
  })
})

describe('a server on this machine', () => {
  const own = () =>
    oauthFetch({ url: `http://127.0.0.1:${port}/mcp`, headers: { 'x-own': 'secret' } })

  it('can name an authorization server on this machine, which does not get its headers', async () => {
    received.length = 0
    const body = new URLSearchParams({ code: 'x' })
    const response = await own()(`http://localhost:${port}/token`, { method: 'POST', body })
    expect([response.headers.get('x-kept'), await response.json()]).toEqual(['yes', { a: 1 }])
    expect(response.url).toBe(`http://localhost:${port}/token`)
    await own()(`http://127.0.0.1:${port}/mcp`)
    expect(received).toEqual(['POST /token  code=x', 'GET /mcp secret '])
  })

  it('cannot redirect to link-local addresses, which have the credentials of cloud machines', async () => {
    const to = encodeURIComponent('http://169.254.169.254/latest/meta-data')
    await expect(own()(`http://127.0.0.1:${port}/to?${to}`)).rejects.toThrow('internal address')
  })

  it('cannot fill the memory with an endless answer', async () => {
    const send = oauthFetch({ url: `http://127.0.0.1:${port}/mcp`, headers: {} })
    const response = await send(`http://127.0.0.1:${port}/endless`)
    expect(await response.text()).toHaveLength(1_000_000)
    expect(sent).toBeLessThan(50_000_000)
  })

  it('can redirect, but what was posted goes to no other host', async () => {
    received.length = 0
    const elsewhere = encodeURIComponent(`http://localhost:${port}/x`)
    const from = `http://127.0.0.1:${port}/to?${elsewhere}`
    expect((await own()(from)).status).toBe(200)
    expect((await own()(from, { method: 'POST', body: 'code' })).status).toBe(307)
    const same = `http://127.0.0.1:${port}/to?%2Fx`
    expect((await own()(same, { method: 'POST', body: 'code' })).status).toBe(200)
    expect(received.filter((each) => !each.includes('/to'))).toEqual([
      'GET /x  ',
      'POST /x secret code',
    ])
  })
})

it.each([
  ['8.8.8.8', 'everywhere'],
  ['2606:4700::1111', 'everywhere'],
  ['10.0.0.1', 'network'],
  ['172.31.0.1', 'network'],
  ['192.168.1.1', 'network'],
  ['100.64.0.1', 'network'],
  ['fd00::1', 'network'],
  ['64:ff9b::7f00:1', 'network'],
  ['::ffff:10.0.0.1', 'network'],
  ['127.8.8.8', 'machine'],
  ['::1', 'machine'],
  ['0.0.0.0', 'machine'],
  ['169.254.169.254', 'nowhere'],
  ['fe80::1', 'nowhere'],
  ['::ffff:169.254.169.254', 'nowhere'],
  ['224.0.0.1', 'nowhere'],
] as const)('%s can be reached from %s', (address, reach) => {
  expect(addressReach(address)).toBe(REACH[reach])
})
