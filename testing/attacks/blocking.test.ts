import { afterEach, describe, expect, it } from 'vitest'
import { type HostileGateway, listing, openHostileGateway, toolOf } from './hostile-gateway.ts'
import { longestStall, maxStall } from './longest-stall.ts'
import { rpcRequest } from './rpc-request.ts'

let open: HostileGateway | undefined
afterEach(async () => {
  await open?.close()
  open = undefined
})

async function start(...args: Parameters<typeof openHostileGateway>): Promise<HostileGateway> {
  open = await openHostileGateway(...args)
  await open.gateway.ready()
  return open
}

// Noise of the machine only makes stalls longer.
describe('nobody waits while', { retry: 2 }, () => {
  it.each([
    [
      'a template with twelve greedy expressions',
      `x://${'{+a}'.repeat(12)}END`,
      `x://${'a'.repeat(40)}`,
    ],
    ['a long URI', 'docs://{+path}/raw/{+rest}/end', `docs://${'/raw/'.repeat(2_400)}`],
    [
      'many alternating expressions',
      `x://${'{a}{/b}{.c}'.repeat(10)}!`,
      `x://${'a/b.c'.repeat(900)}`,
    ],
  ])('a URI is matched with %s', async (_, uriTemplate, uri) => {
    const { request } = await start({
      templates: `
        const capabilities = { resources: {} }
        const answer = (method) =>
          method === 'resources/templates/list' ? { resourceTemplates: [{ uriTemplate: ${JSON.stringify(uriTemplate)}, name: 'x' }] }
          : method === 'resources/list' ? { resources: [] } : undefined`,
    })
    const stall = await longestStall(async () => {
      const found = await request('resources/read', { uri })
      expect(found.code).toBe(-32602)
    })
    expect(stall).toBeLessThan(maxStall())
  })

  it('a client listens for more resources than it may', async () => {
    const { call, gateway } = await start({
      wiki: `
        const capabilities = { resources: { subscribe: true } }
        let subscribed = 0
        const answer = (method) => {
          if (method === 'resources/templates/list') return { resourceTemplates: [{ uriTemplate: 'wiki:///{page}', name: 'x' }] }
          if (method === 'resources/list') return { resources: [] }
          if (method === 'resources/subscribe' || method === 'resources/unsubscribe') return {}
        }`,
    })
    const { url } = await gateway.serveHttp()
    const ending = new AbortController()
    /** The number of resources that the gateway acknowledges. */
    const listen = async (stream: number) => {
      const uris = Array.from({ length: 256 }, (_, at) => `wiki:///${stream}-${at}`)
      const { body } = await fetch(url, {
        ...rpcRequest('subscriptions/listen', { notifications: { resourceSubscriptions: uris } }),
        signal: ending.signal,
      })
      const { value } = await body!.pipeThrough(new TextDecoderStream()).getReader().read()
      return value!.split('wiki:///').length - 1
    }
    const counts: number[] = []
    const stall = await longestStall(async () => {
      for (let first = 0; first < 100; first += 10) {
        const some = Array.from({ length: 10 }, (_, at) => listen(first + at))
        counts.push(...(await Promise.all(some)))
      }
    })
    expect(counts[0]).toBe(256)
    expect(counts.reduce((sum, count) => sum + count)).toBe(4_096)
    expect(await call('call_destructive_tool', { name: 'honest__echo', arguments: {} })).toBe('{}')
    ending.abort()
    expect(stall).toBeLessThan(maxStall())
  })

  it('a server lists more tools than the gateway takes', async () => {
    let found = ''
    const stall = await longestStall(async () => {
      const { call } = await start({ large: listing(20_000, `(i) => 'read_record_' + i`) })
      found = await call('tool_search', { query: 'read a record' })
    })
    expect(found).toContain('large__')
    const large = open!.gateway.servers().find(({ name }) => name === 'large')!
    expect(large).toMatchObject({ state: 'ready', tools: 10_000 })
    expect(large.detail).toMatch(/has 20,000 entries. Only the first 10,000 are offered/)
    expect(stall).toBeLessThan(maxStall())
  })

  it('a server changes its tools again and again', async () => {
    const { call } = await start({
      restless: `
        let lists = 0
        const answer = (method, params, write) => {
          if (method === 'tools/call') return { content: [{ type: 'text', text: String(lists) }] }
          if (method !== 'tools/list') return
          if (lists++ === 0) setInterval(() => write({ method: 'notifications/tools/list_changed' }), 5)
          const tools = Array.from({ length: 2000 }, (_, i) => ({ name: 'tool_' + i, description: 'Version ' + lists, inputSchema: { type: 'object' } }))
          return { tools: [...tools, { name: 'lists', inputSchema: { type: 'object' } }] }
        }`,
    })
    const restless = () => open!.gateway.servers().find(({ name }) => name === 'restless')!
    const stall = await longestStall(async () => {
      for (let calls = 0; calls < 50; calls++) {
        expect(await call('call_destructive_tool', { name: 'honest__echo', arguments: {} })).toBe(
          '{}',
        )
      }
      await expect
        .poll(() => call('call_destructive_tool', { name: 'restless__lists', arguments: {} }))
        .toBe('10')
    })
    expect(await call('call_destructive_tool', { name: 'restless__lists', arguments: {} })).toBe(
      '10',
    )
    expect(restless().state).toBe('ready')
    expect(stall).toBeLessThan(maxStall())
  })

  it('a server answers with very many values', async () => {
    const json = `'[' + '[],'.repeat(1e6) + '[]]'`
    const { call } = await start({
      large: `
        const tools = [{ name: 'read', inputSchema: { type: 'object' } }]
        const answer = (method) => {
          if (method === 'tools/list') return { tools }
          if (method === 'tools/call') return { content: [], structuredContent: { value: JSON.parse(${json}) } }
        }`,
    })
    let text = ''
    const stall = await longestStall(async () => {
      text = await call('call_destructive_tool', { name: 'large__read', arguments: {} })
    })
    expect(text).toMatch(/exceeds the maximum message size.* 300,000 values/)
    expect(stall).toBeLessThan(maxStall())
  })

  it('a server answers with very many different keys', async () => {
    const { call } = await start({
      large: toolOf(
        `{ type: 'object' }`,
        `{ content: [], structuredContent: Object.fromEntries(Array.from({ length: 4e5 }, (_, i) => ['key ' + i, i])) }`,
      ),
    })
    const stall = await longestStall(() =>
      call('call_destructive_tool', { name: 'large__use', arguments: {} }),
    )
    expect(stall).toBeLessThan(maxStall())
  })

  it.each([
    [
      'many references to alternatives',
      `(() => {
        const alternatives = (i) => Array.from({ length: 50 }, (_, j) => i === 2 ? { type: 'string', pattern: '^x' + j + '$' } : { $ref: '#/$defs/d' + (i + 1) })
        const $defs = Object.fromEntries([0, 1, 2].map((i) => ['d' + i, { anyOf: alternatives(i) }]))
        return { type: 'object', properties: { a: { $ref: '#/$defs/d0' } }, $defs }
      })()`,
    ],
    [
      'very many properties',
      `{ type: 'object', properties: Object.fromEntries(Array.from({ length: 990 }, (_, i) => ['p' + i, { type: 'string', minLength: 1 }])) }`,
    ],
  ])('arguments are checked with a schema with %s', async (_, schema) => {
    const { call } = await start({
      strict: toolOf(schema, `{ content: [{ type: 'text', text: 'done' }] }`),
    })
    const stall = await longestStall(() =>
      call('call_destructive_tool', { name: 'strict__use', arguments: { a: 'z' } }),
    )
    expect(stall).toBeLessThan(maxStall())
  })

  it.each<[string, string, object]>([
    ['very long URI', 'resources/read', { uri: `file:///docs/${'../a/'.repeat(7e5)}` }],
    ['very long URI', 'resources/unsubscribe', { uri: `http://${'é.'.repeat(1e6)}/` }],
    [
      'very long URI',
      'completion/complete',
      {
        ref: { type: 'ref/resource', uri: `file:///docs/${'../a/'.repeat(7e5)}` },
        argument: { name: 'x', value: '' },
      },
    ],
    [
      'very many queries',
      'tools/call',
      {
        name: 'tool_search',
        arguments: { queries: Array.from({ length: 9e4 }, (_, i) => `a${i}`) },
      },
    ],
    [
      'very many names',
      'tools/call',
      {
        name: 'describe_tools',
        arguments: { names: Array.from({ length: 9e4 }, (_, i) => `a${i}`) },
      },
    ],
    [
      'query of characters that become longer',
      'tools/call',
      { name: 'tool_search', arguments: { query: '\ufdfa'.repeat(1.2e6) } },
    ],
  ])('a client sends a %s with %s', async (_, method, params) => {
    const { gateway } = await start({})
    const { url } = await gateway.serveHttp()
    const { headers, body } = rpcRequest(method, params)
    // Names are too long for headers: an older client sends none.
    const older = JSON.stringify({ ...JSON.parse(body), params })
    const plain = { 'content-type': headers['content-type']!, accept: headers.accept! }
    let answer = ''
    const stall = await longestStall(async () => {
      answer = await (await fetch(url, { method: 'POST', headers: plain, body: older })).text()
    })
    expect(answer).toMatch(/longer than 8192 characters|at most (?:8 queries|20 names)|No matching/)
    expect(stall).toBeLessThan(maxStall())
  })

  it('a client sends very many values', async () => {
    const { gateway } = await start({})
    const { url } = await gateway.serveHttp()
    const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":[${'[],'.repeat(1.2e6)}[]]}}`
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    }
    const stall = await longestStall(async () => {
      expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(413)
    })
    expect(stall).toBeLessThan(maxStall())
  })

  it('a server sends a flood of notifications, and the last change of a list arrives', async () => {
    const { gateway, call } = await start({
      loud: `
        const capabilities = { tools: {}, resources: { listChanged: true }, prompts: { listChanged: true } }
        const tools = [{ name: 'flood', inputSchema: { type: 'object' } }]
        const answer = async (method, params, write) => {
          if (method === 'tools/list') return { tools }
          if (method === 'prompts/list') return { prompts: [] }
          if (method !== 'tools/call') return
          for (let i = 0; i < 2000; i++) {
            write({ method: 'notifications/prompts/list_changed' })
            write({ method: 'notifications/resources/list_changed' })
            write({ method: 'notifications/message', params: { level: 'info', data: i } })
            write({ method: 'notifications/unknown' })
          }
          return { content: [{ type: 'text', text: 'done' }] }
        }`,
    })
    const { url } = await gateway.serveHttp()
    const clients = await Promise.all(Array.from({ length: 20 }, () => listeningClient(url)))
    const stall = await longestStall(async () => {
      expect(await call('call_destructive_tool', { name: 'loud__flood', arguments: {} })).toBe(
        'done',
      )
      // The first change, and one for all that follow.
      for (const { count } of clients) {
        await expect.poll(() => count('notifications/prompts/list_changed')).toBe(2)
      }
    })
    for (const { close } of clients) close()
    expect(stall).toBeLessThan(maxStall())
  })

  it('a server has more resources and prompts than the gateway takes', async () => {
    const { gateway, request } = await start({
      large: `
        const capabilities = { resources: {}, prompts: {} }
        const answer = (method) =>
          method === 'prompts/list' ? { prompts: Array.from({ length: 10001 }, (_, i) => ({ name: 'p' + i })) }
          : method === 'resources/list' ? { resources: [] }
          : method === 'resources/templates/list' ? { resourceTemplates: [] } : undefined`,
    })
    const large = () => gateway.servers().find(({ name }) => name === 'large')!
    await expect.poll(() => large().state).toBe('ready')
    const stall = await longestStall(async () => {
      expect((await request('prompts/list')).prompts).toHaveLength(1_000)
    })
    expect(large().detail).toMatch(/prompts has 10,001 entries. Only the first 10,000 are offered/)
    expect(stall).toBeLessThan(maxStall())
  })
})

/** A client of 2025-06-18 that counts the notifications it gets. */
async function listeningClient(url: string) {
  const abort = new AbortController()
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const post = (message: object, more = {}) =>
    fetch(url, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const clientInfo = { name: 'listener', version: '1' }
  const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }
  const opened = await post({ id: 1, method: 'initialize', params })
  await opened.text()
  const session = {
    'mcp-session-id': opened.headers.get('mcp-session-id')!,
    'mcp-protocol-version': '2025-06-18',
  }
  await post({ method: 'notifications/initialized' }, session)
  const stream = await fetch(url, { headers: { ...headers, ...session }, signal: abort.signal })
  let received = ''
  void (async () => {
    const decoder = new TextDecoder()
    for await (const chunk of stream.body!) received += decoder.decode(chunk)
  })().catch(() => {})
  return {
    count: (method: string) => received.split(`"${method}"`).length - 1,
    close: () => abort.abort(),
  }
}
