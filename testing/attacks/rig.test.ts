import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Rig, startRig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await startRig({
    hasProvider: true,
    servers: { notes: { headers: { 'x-secret': 'abc' } } },
  })
})
afterAll(() => rig.close())

it('serves an honest member, and records what they did', async () => {
  const ann = await rig.token('ann', { groups: ['writers'] })
  const answer = await rig.call('notes__write', { text: 'hi' }, { as: ann })
  expect(answer.json.result.content[0].text).toBe('{"text":"hi"}')
  expect(rig.notes.calls).toMatchObject([{ name: 'write', arguments: { text: 'hi' } }])
  expect(rig.notes.requests.at(-1)?.headers['x-secret']).toBe('abc')
  await expect
    .poll(() => rig.audited({ tool: 'notes/write' }))
    .toMatchObject([{ outcome: 'ok', groups: ['writers'] }])
})

it('serves keys and rejects everybody else', async () => {
  const key = await rig.key('nightly', { groups: ['ci'] })
  const { json } = await rig.rpc('tools/list', {}, { as: key })
  expect(json.result.tools.map(({ name }: { name: string }) => name)).toContain('notes__read')
  expect((await rig.rpc('tools/list', {}, {})).status).toBe(401)
  const { statuses } = await rig.sendRaw(
    'GET /api/overview HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n',
  )
  expect(statuses).toEqual([401])
})
