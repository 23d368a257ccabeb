import { expect, it, onTestFinished } from 'vitest'
import { startRig } from './rig.ts'

it('serves from two replicas, which share keys and the audit log', async () => {
  const rig = await startRig({ replicas: 2 })
  onTestFinished(rig.close)
  const key = await rig.key('nightly')
  for (const replica of [0, 1]) {
    const answer = await rig.call('notes__write', { replica }, { as: key, replica })
    expect(answer.json.result.content[0].text).toBe(`{"replica":${replica}}`)
  }
  await expect.poll(() => rig.audited({ tool: 'notes/write' })).toHaveLength(2)
})
