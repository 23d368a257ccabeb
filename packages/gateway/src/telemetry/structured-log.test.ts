import { describe, expect, it } from 'vitest'
import { LOCAL_CALLER } from '../identity/caller.ts'
import { RefusedError } from '../serving/refused-error.ts'
import type { AgentRequest } from '../serving/request-gate.ts'
import { logGate } from './structured-log.ts'

const request: AgentRequest = {
  caller: LOCAL_CALLER,
  method: 'tools/call',
  params: { name: 'x', arguments: { secret: 'hunter2' } },
  target: { kind: 'tool', server: 'github', name: 'delete' },
  at: 0,
  session: '0a1b2c3d-4e5f',
}

describe('logGate', () => {
  it('logs requests that were refused or failed, without arguments', async () => {
    const lines: unknown[] = []
    const write = (message: string, fields?: object) => void lines.push({ message, ...fields })
    const gate = logGate({ info: write, warn: write, error: write })
    await gate(request, async () => ({ result: {}, outcome: { outcome: 'ok', resultBytes: 0 } }))
    await gate(request, async () => ({
      result: {},
      outcome: { outcome: 'denied', reason: 'rules[0]', resultBytes: 0 },
    }))
    const refusal = new RefusedError('No.', { outcome: 'limited', reason: 'rateLimits[0]' })
    await gate(request, () => Promise.reject(refusal)).catch(() => {})
    expect(lines).toMatchObject([
      { message: 'request denied', reason: 'rules[0]', server: 'github', target: 'delete' },
      { message: 'request limited', person: 'local local', session: '0a1b2c3d' },
    ])
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|4e5f/)
  })
})
