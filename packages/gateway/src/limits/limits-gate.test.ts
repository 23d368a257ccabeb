import { describe, expect, it } from 'vitest'
import type { RateLimitConfig } from '../config/team-config.ts'
import { LOCAL_PERSON, type Person, personId } from '../identity/person.ts'
import { METHOD_NAMES, methodOf } from '../protocol/methods.ts'
import type { AgentRequest, GatedAnswer, RequestTarget } from '../serving/request-gate.ts'
import { StateUnavailableError } from '../state/state-unavailable-error.ts'
import { limitsGate } from './limits-gate.ts'
import { createMemoryCounters } from './memory-counters.ts'

const tool = (server: string, name: string): RequestTarget => ({ kind: 'tool', server, name })

function person(subject: string, groups: readonly string[] = []): Person {
  return { ...LOCAL_PERSON, id: personId('https://id.example', subject), subject, groups }
}

const ada = person('ada', ['engineers'])
const grace = person('grace', ['admirals'])

function open(...rules: (Partial<RateLimitConfig> & Pick<RateLimitConfig, 'each'>)[]) {
  const configs = rules.map((rule) => ({ per: 'hour', ...rule }) as RateLimitConfig)
  const gate = limitsGate(createMemoryCounters(), { rules: () => configs })
  let executed = 0
  /** Resolves to `ok`, or to the reason of the refusal. */
  const ask = async (
    who: Person,
    target: RequestTarget | undefined = tool('github', 'list'),
    { method = 'tools/call', bytes = 10, during = async () => {} }: Options = {},
  ): Promise<string> => {
    const request: AgentRequest = { caller: { person: who }, method, params: {}, target, at: 0 }
    const next = async (): Promise<GatedAnswer> => {
      executed += 1
      await during()
      return { result: {}, outcome: { outcome: 'ok', resultBytes: bytes } }
    }
    return gate(request, next).then(
      () => 'ok',
      (error) => error.reason ?? error.message,
    )
  }
  return { ask, gate, executed: () => executed }
}

interface Options {
  readonly method?: string
  readonly bytes?: number
  readonly during?: () => Promise<void>
}

describe('limitsGate', () => {
  it('lets everything pass without rules', async () => {
    const { ask } = open()
    for (let call = 0; call < 100; call++) expect(await ask(ada)).toBe('ok')
  })

  it('limits the calls of each person', async () => {
    const { ask, executed } = open({ each: 'person', calls: 2 })
    expect([await ask(ada), await ask(ada), await ask(ada)]).toEqual([
      'ok',
      'ok',
      'toolsearch.rateLimits[0].calls',
    ])
    expect(await ask(grace)).toBe('ok')
    expect(executed()).toBe(3)
  })

  it('limits the calls of each tool, server, and of everybody', async () => {
    const { ask } = open(
      { each: 'tool', calls: 2 },
      { each: 'server', calls: 3 },
      { each: 'everybody', calls: 5 },
    )
    expect(await ask(ada, tool('github', 'list'))).toBe('ok')
    expect(await ask(grace, tool('github', 'list'))).toBe('ok')
    expect(await ask(ada, tool('github', 'list'))).toBe('toolsearch.rateLimits[0].calls')
    expect(await ask(ada, tool('github', 'get'))).toBe('ok')
    expect(await ask(ada, tool('github', 'put'))).toBe('toolsearch.rateLimits[1].calls')
    expect(await ask(ada, tool('mail', 'list'))).toBe('ok')
    expect(await ask(ada, tool('mail', 'send'))).toBe('ok')
    expect(await ask(grace, tool('chat', 'send'))).toBe('toolsearch.rateLimits[2].calls')
  })

  it('applies rules to tools, groups and people', async () => {
    const { ask } = open(
      { each: 'person', calls: 0, tools: ['github/delete_*', 'tool_search'] },
      { each: 'person', calls: 0, groups: ['admirals'], tools: ['fire'] },
      { each: 'person', calls: 0, people: ['ada'], tools: ['compute'] },
    )
    expect(await ask(ada, tool('github', 'delete_repo'))).toBe('toolsearch.rateLimits[0].calls')
    expect(await ask(ada, tool('gitlab', 'delete_repo'))).toBe('ok')
    const search = { kind: 'meta', name: 'tool_search' } as const
    expect(await ask(ada, search)).toBe('toolsearch.rateLimits[0].calls')
    expect(await ask(grace, tool('navy', 'fire'))).toBe('toolsearch.rateLimits[1].calls')
    expect(await ask(ada, tool('navy', 'fire'))).toBe('ok')
    expect(await ask(ada, tool('math', 'compute'))).toBe('toolsearch.rateLimits[2].calls')
    expect(await ask(grace, tool('math', 'compute'))).toBe('ok')
  })

  it('applies rules to effects', async () => {
    const { ask } = open({ each: 'person', calls: 0, tools: ['destructive'] })
    const target = (annotations: object) => ({ ...tool('github', 'x'), annotations })
    expect(await ask(ada, target({}))).toBe('toolsearch.rateLimits[0].calls')
    expect(await ask(ada, target({ readOnlyHint: true }))).toBe('ok')
    expect(await ask(ada, { kind: 'meta', name: 'tool_search' })).toBe('ok')
  })

  it('limits calls, reads, prompts and completions, but neither lists nor pings', async () => {
    const { ask } = open({ each: 'person', calls: 0 })
    const ok = ['tools/list', 'resources/list', 'ping', 'logging/setLevel']
    for (const method of ok) expect(await ask(ada, undefined, { method })).toBe('ok')
    const limited = ['tools/call', 'resources/read', 'prompts/get', 'completion/complete']
    for (const method of limited) {
      expect(await ask(ada, undefined, { method })).toBe('toolsearch.rateLimits[0].calls')
    }
  })

  it.each(METHOD_NAMES)('limits %s if the table of methods says so', async (method) => {
    const { ask } = open({ each: 'person', calls: 0 })
    const { isLimited } = methodOf(method)
    const expected = isLimited ? 'toolsearch.rateLimits[0].calls' : 'ok'
    expect(await ask(ada, undefined, { method })).toBe(expected)
  })

  it('counts other requests than calls for their server, once they are within all other limits', async () => {
    const { gate } = open({ each: 'person', calls: 3 }, { each: 'server', calls: 2 })
    let searched = 0
    const read = (uri: string) => {
      const findTarget = async () => {
        searched += 1
        const [server = ''] = uri.split(':')
        return server === 'nobody' ? undefined : ({ kind: 'resource', server, name: uri } as const)
      }
      const about = { method: 'resources/read', params: { uri }, findTarget }
      const answer = { result: {}, outcome: { outcome: 'ok', resultBytes: 1 } } as const
      return gate({ caller: { person: ada }, at: 0, ...about }, async () => answer).then(
        () => 'ok',
        (error) => error.reason,
      )
    }
    expect(await read('wiki:a')).toBe('ok')
    expect(await read('wiki:b')).toBe('ok')
    // what the second limit refuses does not count for the first one
    expect(await read('wiki:c')).toBe('toolsearch.rateLimits[1].calls')
    expect(await read('nobody:c')).toBe('ok')
    expect(await read('mail:a')).toBe('toolsearch.rateLimits[0].calls')
    expect(searched).toBe(4)
  })

  it('lets a part of a call run in the place of the call, but takes a place at its server', async () => {
    const { gate } = open(
      { each: 'person', concurrent: 1, calls: 3 },
      { each: 'server', concurrent: 1 },
    )
    const pass = (request: Partial<AgentRequest>, during = async () => {}) =>
      gate(
        { caller: { person: ada }, method: 'tools/call', params: {}, at: 0, ...request },
        async () => {
          await during()
          return { result: {}, outcome: { outcome: 'ok', resultBytes: 1 } }
        },
      )
    const target = { kind: 'skill', server: 'wiki', name: 'a' } as const
    const part = { method: 'skills/get', target, isPart: true } as const
    const reason = (error: { reason?: string }) => error.reason
    await pass({}, async () => {
      expect(await pass({}).catch(reason)).toBe('toolsearch.rateLimits[0].concurrent')
      await pass(part, async () => {
        expect(await pass(part).catch(reason)).toBe('toolsearch.rateLimits[1].concurrent')
      })
      await pass(part)
      expect(await pass(part).catch(reason)).toBe('toolsearch.rateLimits[0].calls')
    })
  })

  it('refuses calls after too many bytes of results', async () => {
    const { ask } = open({ each: 'person', resultBytes: 1_000 })
    expect(await ask(ada, undefined, { bytes: 999 })).toBe('ok')
    expect(await ask(ada, undefined, { bytes: 50_000 })).toBe('ok')
    expect(await ask(ada)).toBe('toolsearch.rateLimits[0].resultBytes')
    expect(await ask(grace)).toBe('ok')
  })

  it('limits calls that run at the same time, also after errors', async () => {
    const { ask } = open({ each: 'person', concurrent: 2 })
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const running = [1, 2].map(() => ask(ada, undefined, { during: () => held }))
    expect(await ask(ada)).toBe('toolsearch.rateLimits[0].concurrent')
    expect(await ask(grace)).toBe('ok')
    release()
    expect(await Promise.all(running)).toEqual(['ok', 'ok'])
    for (let call = 0; call < 5; call++) {
      const during = () => Promise.reject(new Error('broken'))
      expect(await ask(ada, undefined, { during })).toBe('broken')
    }
    expect(await ask(ada)).toBe('ok')
  })

  it('does not count a refused call for other limits', async () => {
    const { ask } = open(
      { each: 'tool', calls: 1, concurrent: 1 },
      { each: 'person', calls: 2, concurrent: 1 },
    )
    expect(await ask(ada)).toBe('ok')
    for (let call = 0; call < 5; call++) {
      expect(await ask(ada)).toBe('toolsearch.rateLimits[0].calls')
    }
    expect(await ask(ada, tool('mail', 'send'))).toBe('ok')
    expect(await ask(ada, tool('mail', 'list'))).toBe('toolsearch.rateLimits[1].calls')
  })

  it('tells the agent when to try again', async () => {
    const { gate } = open({ each: 'person', calls: 1, per: 'minute' })
    const request = { caller: { person: ada }, method: 'tools/call', params: {}, at: 0 }
    const next = async () => ({ result: {}, outcome: { outcome: 'ok', resultBytes: 0 } }) as const
    await gate(request, next)
    const error = await gate(request, next).catch((each) => each)
    expect(error).toMatchObject({ outcome: 'limited', code: 'request_refused' })
    expect(error.retryAfterMs).toBeGreaterThan(0)
    expect(error.retryAfterMs).toBeLessThanOrEqual(60_000)
    expect(error.message).toMatch(
      /^Rate limit reached: you can make 1 call per minute\. Try again in \d+ seconds?\.$/,
    )
  })

  it('refuses requests that a rule is for while the counters cannot be reached', async () => {
    const unavailable = () => Promise.reject(new StateUnavailableError('Redis is gone.'))
    const gate = limitsGate(
      { take: unavailable, add: unavailable, enter: unavailable, close() {} },
      {
        rules: () => [
          { each: 'person', calls: 1, concurrent: 1, per: 'day', groups: ['engineers'] },
        ],
      },
    )
    const next = async () => ({ result: {}, outcome: { outcome: 'ok', resultBytes: 0 } }) as const
    const request = { caller: { person: ada }, method: 'tools/call', params: {}, at: 0 }
    await expect(gate(request, next)).rejects.toMatchObject({
      outcome: 'failed',
      retryAfterMs: 5_000,
      message: expect.stringContaining('cannot check its rate limits'),
    })
    const other = { ...request, caller: { person: grace } }
    expect(await gate(other, next)).toMatchObject({ outcome: { outcome: 'ok' } })
  })
})
