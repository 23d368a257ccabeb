import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personValue } from '../../packages/gateway/src/accounts/accounts.fixtures.ts'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig({
    servers: {
      notes: { headers: { 'x-key': personValue('KEY') }, toolsearch: { credentials: 'person' } },
    },
    settings: { encryption: { key: 'k'.repeat(43).concat('=') }, profiles: { sales: {} } },
  })
})
afterAll(() => rig.close())

const VALUES = '{"values":{"KEY":"chosen by an attacker"}}'
const CLOSE = 'Connection: close\r\n'

describe('a request whose address can be read in two ways', () => {
  const hosts: [string, string][] = [
    ['a path', '127.0.0.1/api/accounts?'],
    ['a path after the port', '127.0.0.1:80/api/accounts?'],
    ['a query', '127.0.0.1?/api/accounts'],
    ['a fragment', '127.0.0.1#/api/accounts'],
    ['a backslash', '127.0.0.1\\api\\accounts?'],
    ['a user', 'user@127.0.0.1'],
    ['a scheme', 'http://127.0.0.1/api/accounts?'],
    ['two names', '127.0.0.1, example.com'],
    ['a space', '127.0.0.1 /api/accounts'],
    ['an encoded slash', '127.0.0.1%2fapi'],
    ['a port that is not a number', '127.0.0.1:api'],
    ['a port that is too large', '127.0.0.1:99999'],
    ['half an IPv6 address', '[::1'],
    ['a name in brackets', '[localhost]'],
    ['nothing', ''],
  ]
  it.each(hosts)('is rejected if the Host header has %s', async (_, host) => {
    for (const path of ['/', '/mcp', '/healthz', '/api/accounts', '/sign-in']) {
      const { statuses } = await rig.sendRaw(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}\r\n`,
      )
      expect([path, statuses]).toEqual([path, [400]])
    }
  })

  it('stores no values of nobody', async () => {
    const { statuses } = await rig.sendRaw(
      'PUT / HTTP/1.1\r\nHost: 127.0.0.1/api/accounts/notes/values?\r\n' +
        `Content-Type: application/json\r\nContent-Length: ${VALUES.length}\r\n${CLOSE}\r\n${VALUES}`,
    )
    expect(statuses).toEqual([400])
  })

  const targets = [
    'http://127.0.0.1/api/accounts',
    'https://127.0.0.1/api/accounts',
    '//127.0.0.1/api/accounts',
    '//api/accounts',
    '/\\127.0.0.1/api/accounts',
    '/api\\accounts',
    '/mcp/../api/accounts',
    '/mcp/%2e%2e/api/accounts',
    '/mcp/.%2E/api/accounts',
    '/./api/accounts',
    '/api/%2e/accounts',
    '/api/accounts/..',
    '/#/api/accounts',
    '/api/accounts#x',
    '*',
    'api/accounts',
    ':80/api/accounts',
    '?/api/accounts',
    '@127.0.0.1/api/accounts',
    '/api\taccounts',
    '/api\x00accounts',
    '/api\x7faccounts',
    '/\xe9',
  ]
  it.each(targets)('is rejected if its target is %j', async (target) => {
    for (const method of ['GET', 'OPTIONS', 'PUT']) {
      const text = `${method} ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n${CLOSE}\r\n`
      const { statuses } = await rig.sendRaw(Buffer.from(text, 'latin1'))
      expect([method, statuses]).toEqual([method, [400]])
    }
  })

  it('gets no tunnel', async () => {
    const { text } = await rig.sendRaw(
      'CONNECT 127.0.0.1:80 HTTP/1.1\r\nHost: 127.0.0.1:80\r\n\r\n',
    )
    expect(text).toBe('')
  })

  it('counts as a page if only its path is encoded, and reaches no handler', async () => {
    for (const path of ['/%61pi/accounts', '/api%2faccounts', '/%6dcp', '/mcp%2fp%2fsales']) {
      const { statuses } = await rig.sendRaw(
        `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${CLOSE}\r\n`,
      )
      expect([path, statuses]).toEqual([path, [404]])
    }
  })
})

describe('an honest request', () => {
  const hosts = ['127.0.0.1', '127.0.0.1:7777', 'localhost', 'LOCALHOST:80', '[::1]', '[::1]:7777']
  it.each(hosts)('is answered with the Host header %s', async (host) => {
    for (const [path, status] of [
      ['/healthz', 200],
      ['/healthz?x=%2f..#'.slice(0, -1), 200],
      ['/api/accounts', 401],
      ['/mcp', 401],
      ['/mcp/p/a%20b', 401],
    ]) {
      const { statuses } = await rig.sendRaw(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${CLOSE}\r\n`,
      )
      expect([path, statuses]).toEqual([path, [status]])
    }
  })

  it('may have names with encoded slashes in its path', async () => {
    const { status, json } = await rig.send({ path: '/api/tools/notes%2Fread%2F..', as: rig.admin })
    expect([status, json.error]).toEqual([404, expect.stringContaining('notes/read/..')])
  })
})

describe('a request with contradicting headers', () => {
  const body = '{"values":{}}'
  const rest = `X-Padding: 1\r\n${CLOSE}\r\n`
  const framings: [string, string][] = [
    ['two lengths', `Content-Length: 3\r\nContent-Length: 4\r\n${rest}abcd`],
    ['the same length twice', `Content-Length: 4\r\nContent-Length: 4\r\n${rest}abcd`],
    ['a list of lengths', `Content-Length: 4, 4\r\n${rest}abcd`],
    ['a negative length', `Content-Length: -1\r\n${rest}`],
    ['a length with a sign', `Content-Length: +4\r\n${rest}abcd`],
    ['a length in hexadecimal', `Content-Length: 0x4\r\n${rest}abcd`],
    ['a length and chunks', `Content-Length: 5\r\nTransfer-Encoding: chunked\r\n${rest}0\r\n\r\n`],
    ['chunks and a length', `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n${rest}0\r\n\r\n`],
    ['chunks that are not last', `Transfer-Encoding: chunked, identity\r\n${rest}0\r\n\r\n`],
    ['chunks of another coding', `Transfer-Encoding: identity, chunked\r\n${rest}0\r\n\r\n`],
    ['chunks twice', `Transfer-Encoding: chunked, chunked\r\n${rest}0\r\n\r\n`],
    ['an unknown coding', `Transfer-Encoding: xchunked\r\n${rest}0\r\n\r\n`],
    ['a folded line', `X-Folded: a\r\n Content-Length: 4\r\n${rest}`],
    ['a space before the colon', `Content-Length : 4\r\n${rest}abcd`],
    ['a lone carriage return', `X-Odd: a\rContent-Length: 4\r\n${rest}`],
    ['two hosts', `Host: example.com\r\nContent-Length: 0\r\n${rest}`],
  ]
  it.each(framings)('is rejected with %s', async (_, headers) => {
    const { statuses } = await rig.sendRaw(
      `GET /api/accounts HTTP/1.1\r\nHost: 127.0.0.1\r\n` +
        `Authorization: Bearer ${rig.admin}\r\n${headers}`,
    )
    expect(statuses).toEqual([400])
  })

  it('is nobody with two keys', async () => {
    const both = `Authorization: Bearer ${rig.admin}\r\nAuthorization: Bearer tsk_x\r\n`
    const { statuses } = await rig.sendRaw(
      `GET /api/accounts HTTP/1.1\r\nHost: 127.0.0.1\r\n${both}${CLOSE}\r\n`,
    )
    expect(statuses).toEqual([401])
  })

  it('does not hide a second request in the body of the first', async () => {
    const hidden = `GET /api/accounts HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${rig.admin}\r\n${CLOSE}\r\n`
    const { statuses, text } = await rig.sendRaw(
      `PUT / HTTP/1.1\r\nHost: 127.0.0.1/x\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    )
    expect(statuses).toEqual([400])
    expect(text).not.toContain('accounts')
    const honest = await rig.send({
      path: '/api/accounts/notes/values',
      method: 'PUT',
      body,
      as: rig.admin,
    })
    expect(honest.status).toBe(400)
    expect(rig.notes.requests).toEqual([])
  })
})

describe('a message that no handler gets to see', () => {
  const call = { name: 'notes__read', arguments: {} }
  const messages: [string, (as: string) => Promise<unknown>, object][] = [
    ['has no name', (as) => rig.rpc('tools/call', { arguments: {} }, { as }), {}],
    ['has a name that is not a text', (as) => rig.rpc('tools/call', { name: 7 }, { as }), {}],
    [
      'has arguments that are not an object',
      (as) => rig.rpc('tools/call', { ...call, arguments: 'x' }, { as }),
      {},
    ],
    [
      'has another name in its header',
      (as) => rig.rpc('tools/call', call, { as, headers: { 'mcp-name': 'x' } }),
      {},
    ],
    [
      'has another method in its header',
      (as) => rig.rpc('tools/call', call, { as, headers: { 'mcp-method': 'ping' } }),
      {},
    ],
    [
      'has another version in its header',
      (as) =>
        rig.rpc('tools/call', call, { as, headers: { 'mcp-protocol-version': '2025-11-25' } }),
      {},
    ],
    [
      'is for an unknown profile',
      (as) => rig.rpc('tools/call', call, { as, path: '/mcp/p/none' }),
      { outcome: 'denied', profile: 'none' },
    ],
  ]

  it('is recorded once', async () => {
    for (const [name, send] of messages) await send(await rig.key(name))
    const expected = messages.map(([name, , more]) => ({
      name,
      outcome: 'failed',
      error: expect.any(String),
      ...more,
    }))
    await expect
      .poll(async () => (await rig.audited({ action: 'tools/call' })).toReversed())
      .toMatchObject(expected)
  })

  it('is recorded once if an older client sends it', async () => {
    const as = await rig.key('older')
    const headers = {
      authorization: `Bearer ${as}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const post = (body: object, more = {}) =>
      rig.send({
        path: '/mcp',
        method: 'POST',
        headers: { ...headers, ...more },
        body: { jsonrpc: '2.0', ...body },
      })
    const clientInfo = { name: 'old', version: '1' }
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
    const opened = await post({ id: 0, method: 'initialize', params })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! }
    for (const params of [{}, { name: 7 }, { name: 'notes__none', arguments: {} }]) {
      await post({ id: 1, method: 'tools/call', params }, session)
    }
    await expect
      .poll(async () =>
        (await rig.audited({ action: 'tools/call' })).filter((each) => each.name === 'older'),
      )
      .toHaveLength(3)
  })
})

describe('everything that somebody sends is recorded once', () => {
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'notes__none' } }
  const initialize = (more = {}) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-11-25',
      capabilities: more,
      clientInfo: { name: 'old', version: '1' },
    },
  })
  const json = { 'content-type': 'application/json' }
  const both = { accept: 'application/json, text/event-stream' }
  const nobody = 'mcp-session-id'
  const requests: [string, string, object][] = [
    ['in a session that does not exist', 'tools/call', { headers: { [nobody]: 'x' } }],
    ['with a broken id', 'tools/call', { body: { ...call, id: 1.5 } }],
    ['without a valid id', 'tools/call', { body: { ...call, id: null } }],
    ['of another JSON-RPC', 'tools/call', { body: { ...call, jsonrpc: '1.0' } }],
    ['of an unknown version', 'tools/call', { headers: { 'mcp-protocol-version': '1999' } }],
    ['for another kind of answer', 'tools/call', { headers: { accept: 'text/html' } }],
    ['of another type', 'tools/call', { headers: { 'content-type': 'text/plain' } }],
    ['that initializes again', 'initialize', { body: initialize() }],
    ['that is not JSON', 'POST', { body: '{' }],
    ['that has too many values', 'POST', { body: `[${'1,'.repeat(200_000)}1]` }],
    ['that is a list', 'tools/call', { body: [call] }],
    ['that ends the session', 'DELETE', { method: 'DELETE' }],
    ['that opens no stream', 'GET', { method: 'GET', headers: { accept: 'text/html' } }],
    ['that deletes nothing', 'DELETE', { method: 'DELETE', headers: { [nobody]: 'x' } }],
    ['with an odd method', 'PURGE', { method: 'PURGE' }],
  ]

  it.each(requests)('a request %s', async (name, action, request) => {
    const as = await rig.key(name)
    const post = { path: '/mcp', method: 'POST', as }
    const opened = await rig.send({ ...post, headers: { ...json, ...both }, body: initialize() })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! }
    const { headers, ...rest } = request as { headers?: object; body?: object; method?: string }
    const body = rest.method === undefined ? { body: call } : {}
    const all = { ...json, ...both, ...session, ...headers }
    await rig.send({ ...post, ...body, ...rest, headers: all })
    await expect.poll(() => actionsOf(name)).toEqual(['initialize', action])
  })

  it('a session that begins with too much', async () => {
    const as = await rig.key('large beginning')
    const body = initialize({ x: 'x'.repeat(200_000) })
    const headers = { ...json, ...both }
    const { status } = await rig.send({ path: '/mcp', method: 'POST', headers, body, as })
    expect(status).toBe(413)
    await expect.poll(() => actionsOf('large beginning')).toEqual(['initialize'])
  })

  it('a request that is never complete', async () => {
    const as = await rig.key('incomplete')
    await rig.sendRaw(
      `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${as}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
      { endsAfter: true },
    )
    await expect.poll(() => actionsOf('incomplete')).toEqual(['POST'])
  })

  it('a request for an account or the API, whatever comes of it', async () => {
    const as = await rig.key('trying')
    const tried: [string, string, number][] = [
      ['PUT', '/api/accounts/none/values', 404],
      ['PUT', '/api/accounts/notes/values', 400],
      ['POST', '/api/accounts/notes/values', 405],
      ['POST', '/api/accounts/none/connect', 404],
      ['PUT', '/api/accounts/notes/else', 404],
      ['DELETE', '/api/accounts/notes', 200],
      ['DELETE', '/api/accounts/%', 400],
      ['POST', '/api/accounts', 405],
      ['POST', '/api/none', 403],
      ['PATCH', '/api/config', 403],
      ['GET', '/api/keys', 403],
    ]
    for (const [method, path, expected] of tried) {
      const body = method === 'GET' ? {} : { body: '{}' }
      const { status } = await rig.send({ method, path, as, ...body })
      expect([method, path, status]).toEqual([method, path, expected])
    }
    const named = tried.map(([method, path]) => `${method} ${path}`.replace(/(s\/)[^/]+/, '$1NAME'))
    await expect.poll(() => actionsOf('trying', 'admin')).toEqual(['sign-in', ...named])
    const { status } = await rig.send({ path: '/api/me', as })
    expect(status).toBe(200)
    expect(await actionsOf('trying', 'admin')).toHaveLength(tried.length + 1)
  })

  /** What the audit log has of a key, the oldest first. */
  async function actionsOf(key: string, kind = 'request'): Promise<string[]> {
    const entries = (await rig.audited({})).filter((each) => each.name === key)
    return entries.flatMap((each) => (each.kind === kind ? [each.action] : [])).toReversed()
  }
})

it('an odd method is answered with 404 or 405, and never with an error of the gateway', async () => {
  for (const method of ['TRACE', 'PROPFIND', 'M-SEARCH', 'PURGE']) {
    for (const path of ['/api/me', '/api/accounts', '/mcp', '/sign-in', '/']) {
      const { statuses } = await rig.sendRaw(
        `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${rig.admin}\r\n${CLOSE}\r\n`,
      )
      expect([method, path, [404, 405].includes(statuses[0]!)]).toEqual([method, path, true])
    }
  }
})

it('a message that is nested too deeply is rejected, however deep it is', async () => {
  const as = await rig.key('deep')
  const headers = { 'content-type': 'application/json', 'mcp-method': 'tools/call' }
  for (const levels of [101, 5_000, 90_000]) {
    const body = '['.repeat(levels) + ']'.repeat(levels)
    const { status } = await rig.send({ path: '/mcp', method: 'POST', headers, body, as })
    expect([levels, status]).toEqual([levels, 400])
  }
})

it('nothing was stored, and no server was contacted', async () => {
  const { json } = await rig.send({ path: '/api/accounts', as: rig.admin })
  expect(json.accounts).toMatchObject([
    { server: 'notes', values: [{ name: 'KEY', isSet: false }] },
  ])
  expect(rig.notes.requests).toEqual([])
  expect(await rig.audited({ action: 'account.set-values' })).toEqual([])
})
