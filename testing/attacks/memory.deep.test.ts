import { expect, it } from 'vitest'
import { openHostileGateway } from './hostile-gateway.ts'

it('ends a server that does not read what it is sent', async () => {
  const hostile = await openHostileGateway({
    deaf: `
      const tools = [{ name: 'use', inputSchema: { type: 'object' } }]
      const answer = (method) => {
        if (method !== 'tools/list') return
        setInterval(() => process.stdin.pause(), 100)
        return { tools }
      }`,
  })
  await hostile.gateway.ready()
  const args = { text: 'x'.repeat(3_000_000) }
  const use = { name: 'deaf__use', arguments: args }
  const calls = Array.from({ length: 25 }, () => hostile.call('call_destructive_tool', use))
  const found = await Promise.all(calls)
  expect(found).toContainEqual(expect.stringContaining('stopped reading its input'))
  expect(await hostile.call('call_destructive_tool', { name: 'honest__echo', arguments: {} })).toBe(
    '{}',
  )
  await hostile.close()
})
