import { describe, expect, it } from 'vitest'
import { createAccess } from '../access/create-access.ts'
import type { GatewayConfig } from '../config/gateway-config.ts'
import type { AccessRuleConfig, ProfileConfig } from '../config/team-config.ts'
import type { Caller } from '../identity/caller.ts'
import { LOCAL_PERSON, type Person, personId } from '../identity/person.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'
import { createGateway, type GatewayOptions } from './gateway.ts'
import type { GatewayView } from './gateway-view.ts'
import {
  type FakeServer,
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from './upstream-set.fixtures.ts'

const tool = (name: string, more: object = {}) => ({
  name,
  description: `Does ${name.replaceAll('_', ' ')}.`,
  inputSchema: { type: 'object', properties: { currency: { type: 'string' } } },
  ...more,
})
const read = { annotations: { readOnlyHint: true } }
const bank: FakeServer = {
  tools: [tool('get_balance', read), tool('transfer_money'), tool('close_account')],
}
const mail: FakeServer = { tools: [tool('send_letter'), tool('read_letter', read)] }

function person(name: string, ...groups: string[]): Person {
  return { ...LOCAL_PERSON, id: personId('test', name), subject: name, groups, role: 'member' }
}

const caller = (name: string, groups: string[] = [], profile?: string): Caller => ({
  person: person(name, ...groups),
  ...(profile !== undefined && { profile }),
})

function start(
  rules: readonly AccessRuleConfig[] | undefined,
  {
    servers = { bank, mail },
    config = {},
    ...options
  }: {
    servers?: Record<string, FakeServer>
    config?: Partial<GatewayConfig>
  } & Pick<GatewayOptions, 'personServers'> = {},
) {
  const set = upstreamSet(servers)
  const names = [...set.upstreams.keys(), ...(config.servers ?? []).map(({ name }) => name)]
  const current = () => ({
    ...gatewayConfig(names.map((name) => serverConfig(name))),
    ...config,
    ...(rules && { access: { rules, cedar: [] } }),
    servers: names.map((name) => serverConfig(name)),
  })
  let access = createAccess(current())
  const listeners = new Set<() => void>()
  const gateway = createGateway(current(), set, {
    ...options,
    access: {
      rightsOf: (who) => access.rightsOf(who),
      onChanged(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
  })
  return {
    set,
    gateway,
    setRules(next: readonly AccessRuleConfig[]) {
      access = createAccess({ ...current(), access: { rules: next, cedar: [] } })
      for (const listener of listeners) listener()
    },
  }
}

const call = async (view: GatewayView, name: string, args: object = {}) =>
  String((await view.callTool({ name, arguments: args })).content?.[0]?.text)

const RULES: AccessRuleConfig[] = [
  { allow: ['bank/*'], groups: ['finance'] },
  { allow: ['mail/*', 'bank/get_*'] },
]

describe('a view of a failed server', () => {
  const secret = 'It cannot read /vault/tiger-77.\nRecent log output:\nlion-88'
  const broken: FakeServer = {
    ...bank,
    state: 'failed',
    detail: secret,
    answer: () => {
      throw new UpstreamError('not-started', 'bank', secret)
    },
  }

  it('says why it failed only to callers who may use all of it', async () => {
    const { gateway } = start(RULES, { servers: { bank: broken, mail } })
    const replies = async (view: GatewayView) => [
      await call(view, 'tool_search', { query: 'get balance' }),
      await call(view, 'call_read_tool', { name: 'bank__get_balance' }),
      await call(view, 'call_read_tool', { name: 'bank__unknown' }),
      JSON.stringify(view.servers.upstreams.get('bank')?.status),
    ]
    const all = await replies(gateway.view(caller('ann', ['finance'])))
    const some = await replies(gateway.view(caller('bob')))
    expect(all.join('\n')).toContain('tiger-77')
    expect(some.join('\n')).not.toContain('tiger-77')
    expect(all[0]).not.toContain('lion-88')
    expect(some[1]).toContain('Ask the administrator of the gateway.')
  })

  it('passes on the error responses of the server', async () => {
    const answer = { code: -32_602, message: 'no such account' }
    const refusing: FakeServer = {
      ...bank,
      answer: () => {
        throw new UpstreamError('refused', 'bank', 'bank: no such account', { answer })
      },
    }
    const { gateway } = start(RULES, { servers: { bank: refusing } })
    const view = gateway.view(caller('bob'))
    expect(await call(view, 'call_read_tool', { name: 'bank__get_balance' })).toContain('no such')
  })
})

describe('a view', () => {
  it('is shared by callers with the same rights', () => {
    const { gateway } = start(RULES)
    expect(gateway.view(caller('ann'))).toBe(gateway.view(caller('bob')))
    expect(gateway.view(caller('ann', ['finance']))).not.toBe(gateway.view(caller('bob')))
    expect(start(undefined).gateway.view(caller('ann')).listTools()).toEqual(gateway.listTools())
  })

  it('answers a call to a hidden tool like a call to a tool that does not exist', async () => {
    const { gateway, set } = start(RULES)
    const without = start(undefined, {
      servers: { bank: { tools: [bank.tools[0]!] }, mail },
    }).gateway
    const view = gateway.view(caller('ann'))
    for (const name of ['bank__transfer_money', 'bank__transfer_mony', 'bank__close_account']) {
      for (const meta of ['call_destructive_tool', 'call_read_tool']) {
        const answer = await call(view, meta, { name, arguments: {} })
        expect(answer).toBe(await call(without, meta, { name, arguments: {} }))
      }
      expect(await call(view, name)).toBe(await call(without, name))
      expect(await call(view, 'describe_tools', { names: [name] })).toBe(
        await call(without, 'describe_tools', { names: [name] }),
      )
    }
    expect(set.calls).toEqual([])
  })

  it('finds, counts and names only what its callers may use', async () => {
    const { gateway } = start(RULES)
    const view = gateway.view(caller('ann'))
    const found = await call(view, 'tool_search', { query: 'transfer money' })
    expect(found).not.toContain('transfer_money')
    expect(String(view.listTools()[0]?.description)).toContain('bank (1 tool: balance)')
    expect(await call(view, 'tool_search', { query: 'get balance' })).toContain('bank__get_balance')
    const all = gateway.view(caller('eve', ['finance']))
    expect(await call(all, 'tool_search', { query: 'transfer money' })).toContain(
      'bank__transfer_money',
    )
  })

  it('says nothing about servers of which its callers may use nothing', async () => {
    const servers: Record<string, FakeServer> = {
      bank: { ...bank, state: 'failed', detail: 'The vault is closed.' },
      vault: { tools: [], state: 'connecting' },
      mail,
    }
    const { gateway } = start([{ allow: ['mail/*'] }], { servers })
    const view = gateway.view(caller('ann'))
    expect([...view.servers.upstreams.keys()]).toEqual(['mail'])
    for (const [name, args] of [
      ['tool_search', { query: 'nothing like it' }],
      ['vault__open', {}],
      ['bank__get_balance', {}],
      ['call_read_tool', { name: 'vault__open', arguments: {} }],
    ] as const) {
      const answer = (await call(view, name, args)).replaceAll(/"(?:bank|vault)__\w+\\?"/g, '')
      expect(answer).not.toMatch(/vault|bank/)
    }
    expect(JSON.stringify(view.listTools())).not.toMatch(/vault|bank/)
  })

  it('permits calls by their arguments', async () => {
    const { gateway, set } = start([
      { allow: ['bank/transfer_money'], arguments: { currency: ['eur'] } },
    ])
    const view = gateway.view(caller('ann'))
    expect(await call(view, 'bank__transfer_money', { currency: 'eur' })).toBe('done')
    const refused = await call(view, 'bank__transfer_money', { currency: 'usd' })
    expect(refused).toContain('these arguments of "bank__transfer_money" are not permitted')
    expect(refused).not.toContain('rule')
    expect(set.calls).toHaveLength(1)
  })

  it('reports each decision with its reason', async () => {
    const { gateway } = start(RULES)
    const view = gateway.view(caller('ann'))
    const decisions: unknown[] = []
    const onDecision = (
      target: object,
      { isAllowed, reason }: { isAllowed: boolean; reason: string },
    ) => decisions.push([target, isAllowed, reason])
    await view.callTool({ name: 'bank__transfer_money' }, { onDecision })
    await view.callTool({ name: 'bank__get_balance' }, { onDecision })
    expect(decisions).toEqual([
      [{ kind: 'tool', server: 'bank', name: 'transfer_money' }, false, expect.any(String)],
      [{ kind: 'tool', server: 'bank', name: 'get_balance' }, true, expect.stringContaining('[1]')],
    ])
  })

  it('changes with the rules, at once', () => {
    const { gateway, setRules } = start(RULES)
    let changes = 0
    gateway.onViewsChanged(() => changes++)
    const before = gateway.view(caller('ann'))
    setRules([{ allow: ['mail/read_letter'] }])
    const after = gateway.view(caller('ann'))
    expect(changes).toBe(1)
    expect(after).not.toBe(before)
    expect([...after.servers.upstreams.keys()]).toEqual(['mail'])
  })

  it('keeps long results from other people, and from those who lose a right', async () => {
    const servers = {
      mail: { ...mail, answer: () => ({ content: [{ type: 'text', text: 'x'.repeat(5_000) }] }) },
    }
    const { gateway, setRules } = start([{ allow: ['*'] }], { servers })
    const view = gateway.view(caller('ann'))
    const read = (who: Caller, name: string, args: object) =>
      gateway.view(who).callTool({ name, arguments: args }, { caller: who })
    const { content } = await read(caller('ann'), 'mail__read_letter', {})
    const id = /id "([^"]+)"/.exec(String(content?.[0]?.text))?.[1]
    const args = { id, offset: 4_990 }
    expect((await read(caller('ann'), 'read_result', args)).isError).toBeUndefined()
    const stolen = await read(caller('bob'), 'read_result', args)
    const missing = await read(caller('bob'), 'read_result', { ...args, id: 'none' })
    expect(JSON.stringify(stolen).replaceAll(id!, 'none')).toBe(JSON.stringify(missing))
    expect(view).toBe(gateway.view(caller('bob')))
    setRules([{ allow: ['bank/*'] }])
    const withdrawn = await read(caller('ann'), 'read_result', args)
    expect(JSON.stringify(withdrawn)).toBe(JSON.stringify(stolen))
  })

  it('does not tell a person that another one ran the same search', async () => {
    const { gateway } = start([{ allow: ['*'] }])
    const search = (who: Caller) =>
      gateway
        .view(who)
        .callTool({ name: 'tool_search', arguments: { query: 'send letter' } }, { caller: who })
    expect(await search(caller('bob'))).toEqual(await search(caller('ann')))
  })
})

describe('a profile', () => {
  const profile: ProfileConfig = {
    deny: [],
    readOnly: true,
    servers: ['mail'],
    mode: 'passthrough',
  }
  const config = { profiles: { reading: profile } }

  it('is the intersection with the rights of a person', async () => {
    const { gateway } = start([{ allow: ['bank/*', 'mail/read_*'] }], { config })
    const names = (who: Caller) =>
      gateway
        .view(who)
        .listTools()
        .map(({ name }) => name)
    expect(names(caller('ann', [], 'reading'))).toEqual(['mail__read_letter'])
    expect(await call(gateway.view(caller('ann', [], 'reading')), 'bank__get_balance')).toContain(
      'bank__get_balance',
    )
    expect(names(caller('ann'))).toContain('tool_search')
  })

  it('admits nobody whose credential excludes it, and nobody if it does not exist', () => {
    const { gateway } = start(undefined, { config })
    const limited = (profiles: string[], name?: string): Caller => {
      const { person } = caller('key')
      const scoped = { ...person, scope: { profiles } }
      return { person: scoped, ...(name !== undefined && { profile: name }) }
    }
    expect(gateway.admits(caller('ann', [], 'reading'))).toBe(true)
    expect(gateway.admits(caller('ann', [], 'writing'))).toBe(false)
    expect(gateway.admits(caller('ann', [], 'constructor'))).toBe(false)
    expect(gateway.admits(limited(['reading'], 'reading'))).toBe(true)
    expect(gateway.admits(limited(['other'], 'reading'))).toBe(false)
    expect(gateway.admits(limited(['reading']))).toBe(false)
  })
})

describe("a person's own servers", () => {
  const notes = [tool('write_note'), tool('read_note', read)]

  function startWithNotes(rules?: readonly AccessRuleConfig[]) {
    const own = {
      ann: upstreamSet({ notes: { tools: notes } }),
      bob: upstreamSet({ notes: { tools: notes } }),
      eve: upstreamSet({ notes: { tools: [], state: 'needs-sign-in', detail: 'Connect it.' } }),
    }
    const config = { servers: [serverConfig('notes')] }
    const personServers = {
      serversFor: ({ subject }: Person) =>
        Object.hasOwn(own, subject) ? own[subject as 'ann'] : undefined,
    }
    return { own, ...start(rules, { config, personServers }) }
  }

  it('are in their view and in no other, and are called with their own connection', async () => {
    const { gateway, own, set } = startWithNotes()
    const [ann, bob, zoe] = [caller('ann'), caller('bob'), caller('zoe')].map(gateway.view)
    expect(await call(ann!, 'tool_search', { query: 'write note' })).toContain('notes__write_note')
    expect(await call(ann!, 'tool_search', { query: 'send letter' })).toContain('mail__send_letter')
    expect(await call(zoe!, 'tool_search', { query: 'write note' })).not.toContain('notes__')
    expect(await call(ann!, 'notes__write_note')).toBe('done')
    expect(
      await call(bob!, 'call_destructive_tool', { name: 'notes__write_note', arguments: {} }),
    ).toBe('done')
    expect([own.ann.calls.length, own.bob.calls.length, set.calls.length]).toEqual([1, 1, 0])
    expect(gateway.toolSearch.catalogue.has('notes__write_note')).toBe(false)
  })

  it('are listed, and follow changes of their tools', async () => {
    const { gateway, own } = startWithNotes()
    const view = gateway.view(caller('ann', []))
    let changes = 0
    const passthrough = gateway.view(caller('ann'))
    expect(passthrough).toBe(view)
    view.onListChanged(() => changes++)
    await view.ready()
    view.listTools()
    own.ann.change('notes', { tools: [tool('sing_note')] })
    await gateway.view(caller('ann')).ready()
    expect(await call(view, 'notes__sing_note')).toBe('done')
    expect(await call(view, 'notes__write_note')).not.toBe('done')
    expect(await call(view, 'tool_search', { query: 'sing note' })).toContain('notes__sing_note')
  })

  it('say in a search what they need', async () => {
    const { gateway } = startWithNotes()
    const answer = JSON.parse(
      await call(gateway.view(caller('eve')), 'tool_search', { query: 'x' }),
    )
    expect(answer.not_ready).toEqual([
      { server: 'notes', state: 'needs-sign-in', detail: 'Connect it.' },
    ])
    const other = JSON.parse(await call(gateway.view(caller('zoe')), 'tool_search', { query: 'x' }))
    expect(other.not_ready).toBeUndefined()
  })

  it('are restricted by rules like shared ones', async () => {
    const { gateway } = startWithNotes([{ allow: ['notes/read_*'] }])
    const view = gateway.view(caller('ann'))
    expect(await call(view, 'notes__read_note')).toBe('done')
    expect(await call(view, 'notes__write_note')).not.toBe('done')
    expect(await call(view, 'tool_search', { query: 'write note' })).not.toContain('write_note')
  })
})
