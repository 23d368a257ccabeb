import { describe, expect, it } from 'vitest'
import { listing, openHostileGateway, toolOf } from './hostile-gateway.ts'
import { longestStall, maxStall } from './longest-stall.ts'

// Noise of the machine only makes stalls longer.
describe('nobody waits while', { retry: 2 }, () => {
  it.each([
    ['50,000 tools', 50_000, `(i) => 'read_record_' + i`],
    [
      'names that all look the same to clients',
      10_000,
      `(i) => '\\u0436'.repeat(i % 200) + '\\u0437'.repeat(1 + i / 200)`,
    ],
    ['names of inherited properties', 1_000, `(i) => i === 0 ? '__proto__' : 'constructor' + i`],
  ])('a server lists %s', async (_, count, nameOf) => {
    let open: Awaited<ReturnType<typeof openHostileGateway>> | undefined
    let found = ''
    const stall = await longestStall(async () => {
      open = await openHostileGateway({ large: listing(count, nameOf) })
      await open.gateway.ready()
      found = await open.call('tool_search', { query: 'read a record' })
    })
    await open?.close()
    expect(found).toContain('large__')
    expect(stall).toBeLessThan(maxStall())
  })

  it.each(['description', 'title'])(
    'a server changes every %s, and all are large',
    async (field) => {
      const open = await openHostileGateway({
        large: `
        let lists = 0
        const answer = (method, params, write) => {
          if (method === 'tools/call') {
            write({ method: 'notifications/tools/list_changed' })
            return { content: [{ type: 'text', text: String(lists) }] }
          }
          if (method !== 'tools/list') return
          lists++
          const text = Array.from({ length: 34000 }, (_, word) => (word * 7919 + lists).toString(36)).join(' ')
          return { tools: Array.from({ length: 70 }, (_, i) => ({ name: 'tool_' + i, ${field}: text, inputSchema: { type: 'object' } })) }
        }`,
      })
      await open.gateway.ready()
      const { call, close } = open
      const stall = await longestStall(async () => {
        const large = { name: 'large__tool_0', arguments: {} }
        await expect
          .poll(async () => Number(await call('call_destructive_tool', large)))
          .toBeGreaterThan(4)
      })
      await close()
      expect(stall).toBeLessThan(maxStall())
    },
  )

  it.each([
    ['a long text', `{ content: [{ type: 'text', text: 'lorem ipsum '.repeat(1.35e6) }] }`],
    [
      'a long text of many languages',
      `{ content: [{ type: 'text', text: 'l\u00f6rem "ips\u0436m" '.repeat(8.5e5) }] }`,
    ],
    [
      'a large image',
      `{ content: [{ type: 'image', mimeType: 'image/png', data: 'QUJD'.repeat(4.1e6) }] }`,
    ],
  ])('a server answers with %s', async (_, result) => {
    const { gateway, call, close } = await openHostileGateway({
      large: toolOf(`{ type: 'object' }`, result),
    })
    await gateway.ready()
    let text = ''
    const stall = await longestStall(async () => {
      text = await call('call_destructive_tool', { name: 'large__use', arguments: {} })
    })
    await close()
    expect(text).not.toMatch(/maximum message size/)
    expect(stall).toBeLessThan(maxStall())
  })

  it('a client sends a list of items that must differ', async () => {
    const schema = `{ type: 'object', properties: { a: { type: 'array', uniqueItems: true } } }`
    const { gateway, call, close } = await openHostileGateway({
      strict: toolOf(schema, `{ content: [] }`),
    })
    await gateway.ready()
    const a = Array.from({ length: 100_000 }, (_, id) => ({ id }))
    const stall = await longestStall(() =>
      call('call_destructive_tool', { name: 'strict__use', arguments: { a } }),
    )
    await close()
    expect(stall).toBeLessThan(maxStall())
  })
})
