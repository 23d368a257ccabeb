import { afterEach, describe, expect, it } from 'vitest'
import { type HostileGateway, openHostileGateway } from './hostile-gateway.ts'
import { longestStall } from './longest-stall.ts'

/** What took seconds before. Far above what it takes now, for slow and busy machines. */
const MAX_STALL_MS = 250

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
})
