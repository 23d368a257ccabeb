import { afterEach, describe, expect, it } from 'vitest'
import { createAccess } from '../access/create-access.ts'
import type { AuditedAction } from '../audit/action-entry.ts'
import type { Caller } from '../identity/caller.ts'
import { LOCAL_PERSON, personId } from '../identity/person.ts'
import { RefusedError } from '../serving/refused-error.ts'
import type { AgentRequest } from '../serving/request-gate.ts'
import { closeAll, open } from './inspection.fixtures.ts'

const ann: Caller = {
  person: { ...LOCAL_PERSON, id: personId('https://login', 'ann'), groups: ['platform'] },
}
const call = (name: string) =>
  [`/api/tools/${name}/call`, { method: 'POST', body: '{"arguments":{},"confirm":true}' }] as const

afterEach(closeAll)

describe('a call from the page', () => {
  it('passes the gates as a call of that person, and is not reported twice', async () => {
    const requests: AgentRequest[] = []
    const actions: AuditedAction[] = []
    const { ask } = await open(undefined, {
      caller: ann,
      gate: (request, next) => {
        requests.push(request)
        return next()
      },
      onAction: (action) => void actions.push(action),
    })
    expect((await ask(...call('mail__send_mail'))).status).toBe(200)
    expect(requests).toMatchObject([
      {
        method: 'tools/call',
        caller: ann,
        client: 'inspector',
        target: { kind: 'tool', server: 'mail', name: 'send_mail' },
      },
    ])
    expect(actions).toEqual([])
  })

  it('returns the text of a gate that refuses it', async () => {
    const { ask } = await open(undefined, {
      gate: async () => {
        throw new RefusedError('Rate limit reached.', {
          outcome: 'limited',
          reason: 'rateLimits[0]',
        })
      },
    })
    const { data } = await ask(...call('mail__send_mail'))
    expect(data).toMatchObject({
      result: { isError: true, content: [{ text: 'Rate limit reached.' }] },
    })
  })

  it('needs the right of the person, and names the rule that is missing', async () => {
    const actions: AuditedAction[] = []
    const access = createAccess({
      access: {
        cedar: [],
        rules: [{ allow: ['mail/*'] }, { groups: ['platform'], deny: ['send_mail'] }],
      },
      profiles: {},
    })
    const { ask } = await open(undefined, {
      caller: ann,
      access,
      onAction: (action) => void actions.push(action),
    })
    expect(await ask(...call('mail__send_mail'))).toEqual({
      status: 403,
      data: { error: expect.stringContaining('access.rules[1].deny') },
    })
    expect(actions).toMatchObject([{ action: 'tool.call', person: ann.person, isDenied: true }])
    expect((await ask(...call('mail__read_mail'))).status).toBe(200)
  })
})
