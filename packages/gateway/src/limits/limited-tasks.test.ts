import { afterEach, describe, expect, it } from 'vitest'
import type { RateLimitConfig } from '../config/team-config.ts'
import { closeTaskGateways, send, startTaskGateway } from '../serving/task-gateway.fixtures.ts'
import { limitsGate } from './limits-gate.ts'
import { createMemoryCounters } from './memory-counters.ts'

afterEach(closeTaskGateways)

const LIMITED = { code: -32_029 }

/** A finished task behind a gateway with a limit. Returns a function that asks for the result. */
async function finishedTask(rule: Partial<RateLimitConfig>, settings = {}) {
  let rules: readonly RateLimitConfig[] = []
  const gate = limitsGate(createMemoryCounters(), { rules: () => rules })
  const { url } = await startTaskGateway({ gate, settings })
  const call = { name: 'slow_compute', arguments: { seconds: 0.1 } }
  const { taskId } = await send(url, 'tools/call', call)
  const ask = (person = 'ann') => send(url, 'tasks/get', { taskId }, { person })
  await expect.poll(() => ask()).toMatchObject({ status: 'completed' })
  rules = [{ each: 'person', per: 'hour', ...rule } as RateLimitConfig]
  return { ask, url }
}

describe('limits of tasks', () => {
  it('count the bytes of results that clients fetch', async () => {
    const { ask } = await finishedTask({ resultBytes: 500 })
    expect(await ask()).toMatchObject({ result: { content: [{ text: 'Computed.' }] } })
    await ask()
    await expect(ask()).rejects.toMatchObject(LIMITED)
    await expect(ask('eve')).rejects.toMatchObject({ message: 'Unknown task.' })
  })

  it('count questions for a task, each for the server that runs it', async () => {
    const { ask, url } = await finishedTask({ each: 'server', calls: 2 })
    await ask()
    await ask()
    await expect(ask()).rejects.toMatchObject(LIMITED)
    // nobody learns from a limit whether somebody else has a task
    const guess = send(url, 'tasks/get', { taskId: 'guess' })
    await expect(guess).rejects.toMatchObject({ message: 'Unknown task.' })
  })
})
