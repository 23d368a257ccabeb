import { connect } from 'node:http2'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personValue } from '../../packages/gateway/src/accounts/accounts.fixtures.ts'
import { recorded } from '../../packages/gateway/src/cli/serving.fixtures.ts'
import { type Rig, startRig } from './rig.ts'
import { rpcRequest } from './rpc-request.ts'
import type { RawAnswer } from './send-raw.ts'

const CLOSE = 'Connection: close\r\n'
const VALUES = '{"values":{"KEY":"chosen by an attacker"}}'
const JSON_RPC = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}
/** Takes the beginning of the request that comes next on the same connection as the value of a header. */
const SWALLOW = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Swallowed: '

describe.each(['nginx', 'Caddy'] as const)('behind %s', (proxy) => {
  let rig: Rig
  let member: string
  beforeAll(async () => {
    // Nobody has signed the certificate of the proxy.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    rig = await startRig({
      proxy,
      hasProvider: true,
      servers: {
        everything: recorded,
        notes: { headers: { 'x-key': personValue('KEY') }, toolsearch: { credentials: 'person' } },
      },
      settings: { encryption: { key: 'k'.repeat(43).concat('=') }, profiles: { sales: {} } },
    })
    member = await rig.key('member', { groups: ['writers'] })
  })
  afterAll(async () => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
    await rig.close()
  })

  /** Many at once, so that each connection between the proxy and the gateway serves one of them. */
  async function expectHonestAnswers(): Promise<void> {
    const queries = Array.from({ length: 6 }, (_, at) => `x${at}-${Math.random()}`)
    const answers = await Promise.all(
      queries.map((query) => rig.rpc('tools/call', { name: query, arguments: {} }, { as: member })),
    )
    expect(answers.map(({ text }) => /x\d-[\d.e-]+/.exec(text)?.[0])).toEqual(queries)
  }

  function expectNothingSeen({ text, statuses }: Pick<RawAnswer, 'text' | 'statuses'>): void {
    expect(text).not.toContain('"KEY"')
    for (const status of statuses) {
      // Caddy answers a host that it does not serve with an empty page.
      if (status < 400) expect(text).toMatch(/content-length: 0/i)
    }
  }

  describe('honest clients', () => {
    it('call tools, with and without a session, and only with credentials', async () => {
      await expectHonestAnswers()
      expect((await rig.rpc('tools/list', {}, {})).status).toBe(401)
      const post = (body: object, headers = {}) =>
        rig.send({
          path: '/mcp',
          method: 'POST',
          headers: { ...JSON_RPC, ...headers },
          body: { jsonrpc: '2.0', ...body },
          as: member,
        })
      const clientInfo = { name: 'old', version: '1' }
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }
      const opened = await post({ id: 0, method: 'initialize', params })
      const session = { 'mcp-session-id': opened.headers.get('mcp-session-id')! }
      expect((await post({ id: 1, method: 'tools/list' }, session)).json.result.tools).not.toEqual(
        [],
      )
    })

    it('send messages as large as the gateway accepts', async () => {
      const name = 'x'.repeat(2_000_000)
      const { status } = await rig.rpc(
        'tools/call',
        { name: 'none', arguments: { name } },
        { as: member },
      )
      expect(status).toBe(200)
    })

    it('get each event as soon as it is sent', async () => {
      const ending = new AbortController()
      const { headers, ...request } = rpcRequest('subscriptions/listen', {
        notifications: { toolsListChanged: true },
      })
      const { body } = await fetch(`${rig.url}/mcp`, {
        ...request,
        headers: { ...headers, authorization: `Bearer ${member}` },
        signal: ending.signal,
      })
      const reader = body!.pipeThrough(new TextDecoderStream()).getReader()
      const untilEvent = async (part: string) => {
        let text = ''
        while (!text.includes(part)) {
          const { value, done } = await reader.read()
          if (done) throw new Error(`The stream has ended: ${text}`)
          text += value
        }
      }
      // The stream stays open, so a proxy that waits for its end would never pass these on.
      await untilEvent('acknowledged')
      await rig.configure({ mode: 'search' })
      await untilEvent('list_changed')
      await rig.configure({ mode: 'passthrough' })
      ending.abort()
      await reader.cancel().catch(() => {})
    })

    it('sign in to the inspector', async () => {
      const browser = await rig.signIn('ann')
      expect([...browser.cookies(rig.url).keys()]).toContainEqual(expect.stringMatching(/^__Host-/))
      const me = await browser.request(`${rig.url}/api/me`)
      expect([me.status, await me.text()]).toEqual([200, expect.stringContaining('ann')])
    })
  })

  describe('a stranger reads and changes nothing', () => {
    const hosts = [
      'localhost/api/accounts?',
      'localhost:80/api/accounts?',
      'localhost?/api/accounts',
      'localhost#/api/accounts',
      'localhost\\api\\accounts?',
      'user@localhost',
      'https://localhost/api/accounts?',
      'localhost, example.com',
      'localhost\r\nHost: localhost/api/accounts?',
      'localhost\r\n host: example.com',
      'localhost\thost',
      'example.com',
      '127.0.0.1',
      '[::1]',
      'localhost.',
      '',
    ]
    it.each(hosts)('with the Host header %j', async (host) => {
      for (const [method, path] of [
        ['GET', '/'],
        ['GET', '/api/accounts'],
        ['GET', 'https://localhost/api/accounts'],
        ['GET', 'https://example.com/api/accounts'],
        ['PUT', '/'],
        ['PUT', '/api/accounts/notes/values'],
      ]) {
        const isPage = path === '/' && method === 'GET'
        const body = method === 'PUT' ? VALUES : ''
        const answer = await rig.sendRaw(
          `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n` +
            `Content-Length: ${body.length}\r\n${CLOSE}\r\n${body}`,
        )
        if (isPage) expect(answer.text).not.toContain('"KEY"')
        else expectNothingSeen(answer)
      }
    })

    const paths = [
      '//api/accounts',
      '///localhost/api/accounts',
      '/./api/accounts',
      '/mcp/../api/accounts',
      '/sign-in/../api/accounts',
      '/healthz/../api/accounts',
      '/%2e/api/accounts',
      '/healthz/%2e%2e/api/accounts',
      '/healthz/..%2fapi/accounts',
      '/api%2faccounts',
      '/%61pi/accounts',
      '/api/accounts;x',
      '/api;x/accounts',
      '/healthz;/../api/accounts',
      '/API/accounts',
      '/\\api/accounts',
      '/api\\accounts',
      '/healthz\\..\\api\\accounts',
      '/api/accounts%00',
      '/api/accounts/.',
      '/api/accounts#/healthz',
      '/api/accounts?/healthz',
      '/api/accounts%20HTTP/1.1',
      '/%252e%252e/api/accounts',
    ]
    it.each(paths)('at the address %j', async (path) => {
      for (const method of ['GET', 'POST']) {
        const answer = await rig.sendRaw(
          `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n${CLOSE}\r\n`,
        )
        expect(answer.statuses).toHaveLength(1)
        expectNothingSeen(answer)
      }
    })

    it('with addresses of HTTP/2', async () => {
      const session = connect(rig.url, { rejectUnauthorized: false })
      const ask = (headers: Record<string, string>) =>
        new Promise<RawAnswer>((resolve) => {
          const stream = session.request({ ':method': 'GET', ...headers })
          let [text, status] = ['', 400]
          stream.on('response', (head) => {
            status = Number(head[':status'])
            text += `content-length: ${head['content-length']}\n`
          })
          stream.on('data', (data) => (text += data))
          stream.on('error', () => {})
          stream.on('close', () => resolve({ text, statuses: [status] }))
        })
      for (const authority of ['localhost', ...hosts.filter((host) => !/[\r\n]/.test(host))]) {
        for (const path of ['/api/accounts', ...paths]) {
          expectNothingSeen(await ask({ ':authority': authority, ':path': path }))
        }
        const answer = await ask({
          ':authority': 'localhost',
          ':path': '/api/accounts',
          host: authority,
        })
        expectNothingSeen(answer)
      }
      session.destroy()
    })

    const claims = {
      'X-Forwarded-For': '127.0.0.1',
      'X-Real-IP': '127.0.0.1',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Prefix': '/evil',
      'X-Forwarded-User': 'admin',
      'X-Forwarded-Groups': 'admins',
      'X-Remote-User': 'admin',
      'X-Auth-Request-User': 'admin',
      'X-Original-URL': '/healthz',
      'X-Rewrite-URL': '/healthz',
      'X-HTTP-Method-Override': 'GET',
      Forwarded: 'for=127.0.0.1;host=evil.example;proto=http',
    }

    it('with headers that claim who they are or where they come from', async () => {
      for (const headers of [
        ...Object.entries(claims).map((one) => Object.fromEntries([one])),
        claims,
      ]) {
        const answer = await rig.send({ path: '/api/accounts', headers })
        expect([headers, answer.status]).toEqual([headers, 401])
        const mcp = await rig.rpc('tools/list', {}, { headers })
        expect(mcp.status).toBe(401)
        expect(mcp.headers.get('www-authenticate')).toContain(rig.url)
        const signIn = await rig.send({ path: '/sign-in', headers })
        expect(decodeURIComponent(signIn.headers.get('location')!)).toContain(
          `${rig.url}/sign-in/callback`,
        )
        const metadata = await rig.send({
          path: '/.well-known/oauth-protected-resource/mcp',
          headers,
        })
        expect(metadata.text).not.toContain('evil')
      }
      const { json } = await rig.send({ path: '/api/me', headers: claims, as: member })
      expect(json).toMatchObject({ name: 'member' })
      expect((await rig.send({ path: '/api/keys', headers: claims, as: member })).status).toBe(403)
    })

    it('with an upgrade to another protocol', async () => {
      for (const headers of [
        'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n',
        'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
        'Connection: close, Upgrade\r\nUpgrade: TLS/1.0\r\n',
      ]) {
        const { text } = await rig.sendRaw(
          `GET /api/accounts HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n` +
            `GET /api/accounts HTTP/1.1\r\nHost: localhost\r\n${CLOSE}\r\n`,
        )
        expect(text).not.toContain(' 101 ')
        expect(text).not.toContain('"KEY"')
      }
    })
  })

  describe('no request takes part of the next one', () => {
    const hidden = `0\r\n\r\n${SWALLOW}`
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
    const length = (text: string) => `Content-Length: ${text.length}\r\n`
    const CHUNKED = 'Transfer-Encoding: chunked\r\n'
    const framings: [string, string, string][] = [
      ['a length and chunks', length(hidden) + CHUNKED, hidden],
      ['chunks and a length', CHUNKED + length(hidden), hidden],
      ['a short length and chunks', `Content-Length: 4\r\n${CHUNKED}`, chunk(SWALLOW)],
      ['two lengths', `Content-Length: 0\r\n${length(SWALLOW)}`, SWALLOW],
      ['two lengths, the other way', `${length(SWALLOW)}Content-Length: 0\r\n`, SWALLOW],
      ['a list of lengths', `Content-Length: 0, ${SWALLOW.length}\r\n`, SWALLOW],
      ['a length with a sign', `Content-Length: +${SWALLOW.length}\r\n`, SWALLOW],
      ['a length in hexadecimal', `Content-Length: 0x${SWALLOW.length.toString(16)}\r\n`, SWALLOW],
      ...[
        'identity, chunked',
        'chunked, identity',
        'chunked, chunked',
        'xchunked',
        'chunked;q=1',
        '"chunked"',
        '\vchunked',
        'chunked\v',
        ' chunked',
        '\tchunked',
        'CHUNKED',
        'gzip, chunked',
        '\r\n chunked',
        'x\r\nTransfer-Encoding: chunked',
        'chunked\r\nTransfer-Encoding: x',
        'chunked\r\nTransfer-Encoding: identity',
      ].map((coding): [string, string, string] => [
        `the coding ${JSON.stringify(coding)}`,
        `${length(hidden)}Transfer-Encoding: ${coding}\r\n`,
        hidden,
      ]),
      ['a space before the colon', `${length(hidden)}Transfer-Encoding : chunked\r\n`, hidden],
      ['an underscore', `${length(hidden)}Transfer_Encoding: chunked\r\n`, hidden],
      ['a folded line', `${length(hidden)}X-Folded: a\r\n Transfer-Encoding: chunked\r\n`, hidden],
      ['a lone carriage return', `${length(hidden)}X: a\rTransfer-Encoding: chunked\r\n`, hidden],
      ['a lone line feed', `${length(hidden)}X: a\nTransfer-Encoding: chunked\r\n`, hidden],
      ['a NUL', `${length(hidden)}X: a\0\r\nTransfer-Encoding: chunked\r\n`, hidden],
      ['a chunk extension', CHUNKED, `3;a=b\r\nabc\r\n0;c="\r\n"\r\n\r\n${SWALLOW}`],
      ['a line feed in a chunk extension', CHUNKED, `2;\nxx\r\n2d\r\nab\r\n0\r\n\r\n${SWALLOW}`],
      ['a chunk that ends with a line feed', CHUNKED, `3\nabc\n0\n\n${SWALLOW}`],
      ['a chunk of a negative size', CHUNKED, `-1\r\nabc\r\n0\r\n\r\n${SWALLOW}`],
      ['a chunk size with a prefix', CHUNKED, `0x3\r\nabc\r\n0\r\n\r\n${SWALLOW}`],
      ['a chunk size that overflows', CHUNKED, `10000000000000003\r\nabc\r\n0\r\n\r\n${SWALLOW}`],
      [
        'a length in a trailer',
        CHUNKED,
        `0\r\nContent-Length: ${SWALLOW.length}\r\n\r\n${SWALLOW}`,
      ],
      [
        'a length that is not passed on',
        `Connection: content-length\r\n${length(SWALLOW)}`,
        SWALLOW,
      ],
      [
        'a coding that is not passed on',
        `Connection: transfer-encoding\r\n${CHUNKED}`,
        chunk(SWALLOW),
      ],
      ['a length and no method with a body', length(SWALLOW), SWALLOW],
      ['an expectation', `Expect: 100-continue\r\n${length(SWALLOW)}`, SWALLOW],
    ]
    it.each(framings)('with %s', async (_, framing, body) => {
      const credentials = `Authorization: Bearer ${member}\r\n`
      for (const method of ['POST /mcp', 'GET /api/me', 'POST /nothing', 'HEAD /healthz']) {
        for (const who of ['', credentials]) {
          const { statuses } = await rig.sendRaw(
            `${method} HTTP/1.1\r\nHost: localhost\r\n${who}${CLOSE}${framing}\r\n${body}`,
          )
          expect(statuses.length).toBeLessThan(2)
        }
      }
      await expectHonestAnswers()
    })
  })

  it('no request makes the proxy believe that the gateway is down', async () => {
    for (const request of [
      'CONNECT localhost:80 HTTP/1.1\r\nHost: localhost:80\r\n',
      'CONNECT / HTTP/1.1\r\nHost: localhost\r\n',
      'TRACE / HTTP/1.1\r\nHost: localhost\r\n',
      'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(7_000)}\r\n`.repeat(3),
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n`,
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999\r\n',
      'POST /mcp HTTP/1.1\r\nHost: localhost\r\nUpgrade: x\r\nConnection: Upgrade\r\n',
      'GET /\xe9 HTTP/1.1\r\nHost: localhost\r\n',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: \x01\r\n',
    ]) {
      const bytes = Buffer.from(`${request}${CLOSE}\r\n`, 'latin1')
      await Promise.all([1, 2, 3].map(() => rig.sendRaw(bytes, { endsAfter: true })))
      await expectHonestAnswers()
    }
  })

  it('nothing was stored, and no server was contacted for a stranger', async () => {
    const { json } = await rig.send({ path: '/api/accounts', as: rig.admin })
    expect(json.accounts).toMatchObject([
      { server: 'notes', values: [{ name: 'KEY', isSet: false }] },
    ])
    expect(rig.notes.requests).toEqual([])
    expect(await rig.audited({ action: 'account.set-values' })).toEqual([])
  })
})
