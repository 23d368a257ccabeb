import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolAnnotations } from 'toolsearch'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { personId } from '../identity/person.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { RefusedError } from '../serving/refused-error.ts'
import type { AgentRequest, GatedAnswer } from '../serving/request-gate.ts'
import { auditGate } from './audit-gate.ts'
import { type AuditLog, createAuditLog } from './audit-log.ts'
import type { AuditStore } from './audit-store.ts'
import { createFileAuditStore } from './file-audit-store.ts'

let folder: string
let store: AuditStore
let log: AuditLog
const problems: string[] = []

beforeEach(async () => {
  problems.length = 0
  folder = await mkdtemp(join(tmpdir(), 'toolsearch-audit-'))
  store = createFileAuditStore(join(folder, 'audit'))
  log = createAuditLog(store, {
    days: () => 30,
    retryMs: 10,
    replica: 'gateway-1',
    onProblem: (message, severity) => problems.push(`${severity}: ${message}`),
  })
})
afterEach(async () => {
  await log.close()
})

const request: AgentRequest = {
  caller: {
    person: {
      id: personId('https://id.example', 'ada'),
      issuer: 'https://id.example',
      subject: 'ada',
      name: 'Ada',
      email: 'ada@example.com',
      groups: ['engineers'],
      role: 'member',
      token: 'secret-access-token',
    },
    profile: 'support',
  },
  method: 'tools/call',
  params: { name: 'github__create_issue', arguments: { title: 'Broken', token: 'hunter2' } },
  at: Date.now(),
  client: 'claude-code',
  session: '0a1b2c3d-4e5f-6789',
}
const answer: GatedAnswer = {
  result: { content: [{ type: 'text', text: 'secret result' }] },
  outcome: {
    outcome: 'ok',
    target: { kind: 'tool', server: 'github', name: 'create_issue' },
    resultBytes: 40,
  },
}

const gate = (changes: { required?: boolean; arguments?: 'shape' | 'redacted' | 'full' } = {}) =>
  auditGate(log, {
    config: () => ({ arguments: 'shape', required: false, ...changes }),
    mask: (text) => text.replaceAll('hunter2', '***'),
  })

const tool = (annotations: ToolAnnotations): AgentRequest['target'] => ({
  kind: 'tool',
  server: 'github',
  name: 'create_issue',
  annotations,
})

async function entries() {
  return (await log.reader.query({}, { limit: 100 })).entries
}

describe('auditGate', () => {
  it('records who did what, when and with which outcome', async () => {
    expect(await gate()(request, async () => answer)).toBe(answer)
    const [entry, ...others] = await entries()
    expect(others).toEqual([])
    expect(entry).toEqual({
      id: expect.any(String),
      replica: 'gateway-1',
      at: new Date(request.at).toISOString(),
      kind: 'request',
      person: 'https%3A%2F%2Fid.example ada',
      name: 'Ada',
      email: 'ada@example.com',
      groups: ['engineers'],
      action: 'tools/call',
      target: { kind: 'tool', server: 'github', name: 'create_issue' },
      profile: 'support',
      client: 'claude-code',
      session: '0a1b2c3d',
      outcome: 'ok',
      milliseconds: expect.any(Number),
      requestBytes: 80,
      resultBytes: 40,
      arguments: { title: 'string', token: 'string' },
    })
    expect(JSON.stringify(entry)).not.toMatch(/secret|hunter2|Broken/)
  })

  it('records denials by name, whether they are answers or refusals', async () => {
    const outcome = { ...answer.outcome, outcome: 'denied', reason: 'access.rules[1]' } as const
    await gate()(request, async () => ({ result: {}, outcome }))
    const refusal = new RefusedError('Not now.', { outcome: 'limited', reason: 'rateLimits[0]' })
    const refused = gate()(request, () => Promise.reject(refusal))
    await expect(refused).rejects.toBe(refusal)
    expect(await entries()).toMatchObject([
      { outcome: 'limited', reason: 'rateLimits[0]', target: { name: 'github__create_issue' } },
      { outcome: 'denied', reason: 'access.rules[1]', target: { name: 'create_issue' } },
    ])
  })

  it('records errors and cancellations, with secrets masked', async () => {
    const run = (error: Error) => gate()(request, () => Promise.reject(error)).catch(() => {})
    await run(new Error('Wrong password: hunter2'))
    await run(new UpstreamError('cancelled', 'github', 'The call was cancelled.'))
    await run(new UpstreamError('refused', 'github', 'GitHub refused the call.'))
    expect((await entries()).map(({ outcome, error }) => [outcome, error])).toEqual([
      ['failed', 'GitHub refused the call.'],
      ['cancelled', 'The call was cancelled.'],
      ['failed', 'Wrong password: ***'],
    ])
  })

  it('records searches, so that those that found nothing can be listed', async () => {
    const search = (query: string, hits: string[]) =>
      gate()({ ...request, params: { name: 'tool_search', arguments: { query } } }, async () => ({
        result: {},
        outcome: { ...answer.outcome, searches: [{ query, hits }] },
      }))
    await search('send mail', ['mail__send'])
    await search('brew coffee with hunter2', [])
    expect((await log.reader.query({ notFound: true }, { limit: 10 })).entries).toMatchObject([
      { name: 'Ada', searches: [{ query: 'brew coffee with ***', hits: [] }] },
    ])
  })

  it('cannot be filled by long names', async () => {
    const long = 'x'.repeat(1_000_000)
    const { person } = request.caller
    await gate({ arguments: 'redacted' })(
      {
        ...request,
        caller: { person: { ...person, name: long, groups: Array(1_000).fill('group') } },
        client: long,
        session: long,
        params: { name: long, arguments: { [long]: long } },
      },
      () => Promise.reject(new Error(long)),
    ).catch(() => {})
    const [entry] = await entries()
    expect(JSON.stringify(entry).length).toBeLessThan(20_000)
  })

  it('does not record pings', async () => {
    await gate()({ ...request, method: 'ping', params: {} }, async () => answer)
    expect(await entries()).toEqual([])
  })

  it.each([true, false])(
    'records the result of a task, but not the questions for it: required %s',
    async (required) => {
      const poll = { ...request, method: 'tasks/get', params: { taskId: 'x' }, target: tool({}) }
      const ask = (result: object) =>
        gate({ required })(poll, async () => {
          expect(await entries()).toEqual([])
          return { ...answer, result: result as GatedAnswer['result'] }
        })
      await ask({ status: 'working' })
      await ask({ status: 'input_required' })
      await ask({ status: 'completed', result: { content: [] } })
      expect(await entries()).toMatchObject([
        { action: 'tasks/get', resultBytes: 40, outcome: 'ok' },
      ])
      await gate({ required })(poll, () => Promise.reject(new Error('Unknown task.'))).catch(
        () => {},
      )
      expect(await entries()).toHaveLength(2)
    },
  )

  it.each([
    ['changes something', { readOnlyHint: false }, ['unknown']],
    ['is said to do nothing in particular', {}, ['unknown']],
    ['only reads', { readOnlyHint: true }, []],
  ])('leaves a trace of a call that %s before it ends', async (_, annotations, traces) => {
    await gate()({ ...request, target: tool(annotations) }, async () => {
      expect((await entries()).map(({ outcome }) => outcome)).toEqual(traces)
      return answer
    })
    expect(await entries()).toMatchObject([{ outcome: 'ok', arguments: { title: 'string' } }])
  })

  it('lets requests pass while the log cannot be written, and stores their entries later', async () => {
    await writeFile(join(folder, 'audit'), 'not a folder')
    for (let call = 0; call < 3; call++) await gate()(request, async () => answer)
    expect(await log.flush()).toBe(false)
    expect(problems).toEqual([expect.stringContaining('error: The audit log cannot be written')])
    await rm(join(folder, 'audit'))
    await expect.poll(() => log.isWorking).toBe(true)
    expect(await entries()).toHaveLength(3)
    expect(problems[1]).toBe('info: The audit log can be written again.')
  })

  describe('with required entries', () => {
    it('has stored the entry when the answer arrives', async () => {
      await gate({ required: true })(request, async () => answer)
      expect((await store.query({}, { limit: 10 })).entries).toHaveLength(1)
      const refusal = new RefusedError('No.', { outcome: 'denied', reason: 'rule' })
      await gate({ required: true })(request, () => Promise.reject(refusal)).catch(() => {})
      expect((await store.query({ outcome: 'denied' }, { limit: 10 })).entries).toHaveLength(1)
    })

    it('executes nothing while the log cannot be written', async () => {
      await writeFile(join(folder, 'audit'), 'not a folder')
      let calls = 0
      const call = () =>
        gate({ required: true })(request, async () => {
          calls += 1
          return answer
        })
      const refused = { outcome: 'failed', retryAfterMs: 60_000 }
      await expect(call()).rejects.toMatchObject(refused)
      await expect(call()).rejects.toMatchObject(refused)
      expect(calls).toBe(0)
      await rm(join(folder, 'audit'))
      expect(await call()).toBe(answer)
      expect((await entries()).map(({ outcome, error }) => [outcome, error?.slice(0, 24)])).toEqual(
        [
          ['ok', undefined],
          ['failed', 'The gateway cannot write'],
          ['failed', 'The gateway cannot write'],
        ],
      )
    })

    it('withholds the result of a call whose end cannot be stored', async () => {
      const call = gate({ required: true })(request, async () => {
        await rm(join(folder, 'audit'), { recursive: true })
        await writeFile(join(folder, 'audit'), 'not a folder')
        return answer
      })
      await expect(call).rejects.toThrow('the result is withheld')
      await rm(join(folder, 'audit'))
      expect(await entries()).toMatchObject([
        { outcome: 'failed', error: 'The result was withheld.' },
      ])
    })

    it.each<[string, Partial<AgentRequest>, boolean]>([
      ['a call', {}, true],
      ['a call that only reads', { target: tool({ readOnlyHint: true }) }, true],
      ['a read of a resource', { method: 'resources/read', params: { uri: 'a:b' } }, true],
      ['a search', { target: { kind: 'meta', name: 'tool_search' } }, false],
      ['a list', { method: 'tools/list', params: {} }, false],
    ])('has stored the start of %s before it is executed: %#', async (_, changes, isStored) => {
      const given = { ...request, params: { name: 'x' }, ...changes }
      await gate({ required: true })(given, async () => {
        const { entries } = await store.query({}, { limit: 10 })
        expect(entries.map(({ outcome }) => outcome)).toEqual(isStored ? ['unknown'] : [])
        return answer
      })
    })
  })
})
