import { describe, expect, it } from 'vitest'
import { listing, openHostileGateway } from './hostile-gateway.ts'
import { longestStall } from './longest-stall.ts'

const MAX_STALL_MS = 600

describe('nobody waits while', () => {
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
    expect(stall).toBeLessThan(MAX_STALL_MS)
  })
})
