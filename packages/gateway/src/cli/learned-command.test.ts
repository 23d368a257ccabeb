import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Serving, serving } from './serving.fixtures.ts'

let gateway: Serving
beforeAll(async () => {
  gateway = await serving({
    mcpServers: { missing: { command: 'no-such-command' } },
    toolsearch: { learning: 'shared' },
  })
})
afterAll(() => gateway.end())

it('says that nothing has been learned yet', async () => {
  const { code, err } = await gateway.run('learned')
  expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining('Nothing') })
  const listed = await gateway.run('learned', 'list', '--json')
  expect(JSON.parse(listed.out)).toEqual({ learning: 'shared', uses: [] })
})

it('forgets only what it is asked to forget', async () => {
  const vague = await gateway.run('learned', 'forget')
  expect(vague.code).toBe(2)
  expect(vague.err).toContain('--all')
  const forgot = await gateway.run('learned', 'forget', '--tool', 'a__b', '--json')
  expect(JSON.parse(forgot.out)).toEqual({ forgotten: 0 })
})

it('rejects unknown actions', async () => {
  expect((await gateway.run('learned', 'erase')).err).toContain('learned forget')
})
