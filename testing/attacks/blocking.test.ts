import { afterEach, describe, expect, it } from 'vitest'
import { type HostileGateway, listing, openHostileGateway } from './hostile-gateway.ts'
import { longestStall } from './longest-stall.ts'

/** What took seconds before. Far above what it takes now, for slow and busy machines. */
const MAX_STALL_MS = 600

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

describe('nobody waits while', () => {
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
    expect(stall).toBeLessThan(MAX_STALL_MS)
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
    expect(stall).toBeLessThan(MAX_STALL_MS)
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
    expect(stall).toBeLessThan(MAX_STALL_MS)
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
    expect(text).toMatch(/exceeds the maximum message size.* 500,000 values/)
    expect(stall).toBeLessThan(MAX_STALL_MS)
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
    expect(stall).toBeLessThan(MAX_STALL_MS)
  })
})
