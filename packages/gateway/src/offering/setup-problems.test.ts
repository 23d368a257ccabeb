import { describe, expect, it } from 'vitest'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import { createGateway } from './gateway.ts'
import {
  type FakeServer,
  gatewayConfig,
  serverConfig,
  upstreamSet,
} from './upstream-set.fixtures.ts'

const tool = (name: string) => ({
  name,
  inputSchema: { type: 'object', properties: { amount: { type: 'number' } } },
})
const bank: FakeServer = { tools: [tool('get_balance'), tool('transfer_money')] }
const mail: FakeServer = { tools: [tool('send_mail')] }

function open(
  gateway: Partial<GatewayConfig>,
  own: Partial<ServerConfig> = {},
  servers: Record<string, FakeServer> = { bank, mail },
) {
  const set = upstreamSet(servers)
  const configs = [serverConfig('bank', own), serverConfig('mail')]
  return { set, gateway: createGateway(gatewayConfig(configs, gateway), set) }
}

function messages(...args: Parameters<typeof open>): string[] {
  return open(...args)
    .gateway.setupProblems()
    .map(({ message }) => message)
}

describe('settings that match no tool', () => {
  it('are reported with their place and the closest name', () => {
    expect(messages({ deny: ['transfer_mony', 'transfer_*'], pins: ['bank/transfer'] })).toEqual([
      'toolsearch.deny[0] "transfer_mony" matches no tool. Did you mean "transfer_money"?',
      'toolsearch.pins[0] "bank/transfer" matches no tool. Did you mean "bank/transfer_money"?',
    ])
    expect(messages({ allow: ['get_*', 'payment_*', 'mial/*'] })).toEqual([
      'toolsearch.allow[1] "payment_*" matches no tool. Run `toolsearch tools` to list the tools.',
      'toolsearch.allow[2] "mial/*" matches no tool. Did you mean "mail/*"?',
    ])
  })

  it('come with a suggestion that concerns the same tools', () => {
    expect(messages({ deny: ['Transfer_*', 'tool:transfer_mony', 'tool:writ'] })).toEqual([
      'toolsearch.deny[0] "Transfer_*" matches no tool. Did you mean "transfer_*"?',
      'toolsearch.deny[1] "tool:transfer_mony" matches no tool. Did you mean "tool:transfer_money"?',
      'toolsearch.deny[2] "tool:writ" matches no tool. Run `toolsearch tools` to list the tools.',
    ])
  })

  it('are reported for skills, which only access rules hide', () => {
    const uri = 'skill://release-notes/SKILL.md'
    const frontmatter = { name: 'release-notes', description: 'Notes' }
    const local: FakeServer = { tools: [], skills: [{ uri, frontmatter, resources: [] }] }
    const deny = ['skill:local/release-notes', 'skill:local/relese-notes', 'skill:local/*']
    const access = { rules: [{ deny }], cedar: [] }
    const servers = { bank, mail, local }
    expect(messages({ skills: ['skills'], access }, {}, servers)).toEqual([
      'toolsearch.access.rules[0].deny[1] "skill:local/relese-notes" matches no skill. Did you mean "skill:local/release-notes"?',
    ])
    const skill = ['skill:local/release-notes']
    expect(messages({ skills: ['skills'], deny: skill }, { deny: skill }, servers)).toEqual([
      'toolsearch.deny[0] "skill:local/release-notes" matches no tool. To hide a skill, use "deny" of a rule in "toolsearch.access".',
      'toolsearch.deny[0] "skill:local/release-notes" of server "bank" matches no tool. To hide a skill, use "deny" of a rule in "toolsearch.access".',
    ])
  })

  it('are reported despite a server that nobody has connected to, unless it could have the tool', () => {
    const crm = serverConfig('crm', { credentials: { kind: 'person' } })
    const rules = [{ allow: ['bank/transfer_mony', 'transfer_mony', 'crm/get', 'get_lead', '*/x'] }]
    const config = gatewayConfig([serverConfig('bank'), crm], { access: { rules, cedar: [] } })
    const problems = createGateway(config, upstreamSet({ bank })).setupProblems()
    const place = 'toolsearch.access.rules[0].allow'
    expect(problems.map(({ message }) => message)).toEqual([
      `${place}[0] "bank/transfer_mony" matches no tool. Did you mean "bank/transfer_money"?`,
      `${place}[1] "transfer_mony" matches no tool that is known. Did you mean "transfer_money"? The tools of crm are known once somebody has connected.`,
    ])
  })

  it('are reported for a single server', () => {
    const settings = {
      disabledTools: ['get_ballance'],
      allow: ['bank/*', '*'],
      deny: ['destructve', 'wire_*'],
      hints: { transfer: 'pay' },
      overrides: { constructor: {} },
    }
    expect(messages({}, settings)).toEqual([
      'disabledTools[0] "get_ballance" of server "bank" matches no tool. Did you mean "get_balance"?',
      'toolsearch.allow[0] "bank/*" of server "bank" matches no tool. Run `toolsearch tools` to list the tools.',
      'toolsearch.deny[0] "destructve" of server "bank" matches no tool. Did you mean "destructive"?',
      'toolsearch.deny[1] "wire_*" of server "bank" matches no tool. Run `toolsearch tools` to list the tools.',
      'toolsearch.hints.transfer of server "bank" matches no tool. Did you mean "transfer_money"?',
      'toolsearch.overrides.constructor of server "bank" matches no tool. Run `toolsearch tools` to list the tools.',
    ])
  })

  it('are reported for access rules, profiles and rate limits', () => {
    const rules = [
      { allow: ['bank/*', 'resource:bank/x:*', 'read', 'prompt:*'], groups: ['staff'] },
      { deny: ['bank/get_ballance', 'resource:bnak/*'] },
    ]
    const profiles = {
      support: { deny: ['wipe'], readOnly: false, allow: ['mial/*'], pins: ['mail/send'] },
    }
    const rateLimits = [
      {
        each: 'person',
        per: 'minute',
        calls: 1,
        tools: ['bank/transfer_mony', 'tool_search', 'get_*'],
      } as const,
    ]
    expect(messages({ access: { rules, cedar: [] }, profiles, rateLimits })).toEqual([
      'toolsearch.access.rules[1].deny[0] "bank/get_ballance" matches no tool. Did you mean "bank/get_balance"?',
      'toolsearch.access.rules[1].deny[1] "resource:bnak/*" matches no server. Did you mean "resource:bank/*"?',
      'toolsearch.profiles.support.allow[0] "mial/*" matches no server. Did you mean "mail/*"?',
      'toolsearch.profiles.support.deny[0] "wipe" matches no tool. Run `toolsearch tools` to list the tools.',
      'toolsearch.profiles.support.pins[0] "mail/send" matches no tool. Did you mean "mail/send_mail"?',
      'toolsearch.rateLimits[0].tools[0] "bank/transfer_mony" matches no tool. Did you mean "bank/transfer_money"?',
    ])
  })

  it('do not include effects, because no tool has to have them', () => {
    expect(messages({ deny: ['read', 'open-world'], allow: ['write', '*'] })).toEqual([])
  })

  it('are judged once the tools of all servers concerned are known', () => {
    const connecting: FakeServer = { tools: [], state: 'connecting' }
    const { gateway, set } = open(
      { deny: ['nothing', 'bank/nothing', 'mail/nothing'] },
      {},
      {
        bank,
        mail: connecting,
      },
    )
    const places = () => gateway.setupProblems().map(({ path }) => path.join('.'))
    expect(places()).toEqual(['toolsearch.deny.1'])
    set.change('mail', { ...connecting, state: 'failed' })
    expect(places()).toEqual(['toolsearch.deny.1'])
    set.change('mail', { ...mail, state: 'idle' })
    expect(places()).toEqual(['toolsearch.deny.0', 'toolsearch.deny.1', 'toolsearch.deny.2'])
  })

  it('are not reported for disabled servers', () => {
    expect(messages({ deny: ['bank/nothing'] }, { disabled: true, deny: ['nothing'] })).toEqual([])
  })

  it('are judged again after a change, and otherwise return the same list', () => {
    const { gateway } = open({ deny: ['nothing'] })
    expect(gateway.setupProblems()).toBe(gateway.setupProblems())
    expect(gateway.setupProblems()).toHaveLength(1)
    gateway.configure({ ...gateway.config, deny: [] })
    expect(gateway.setupProblems()).toEqual([])
  })
})

describe('other problems of the setup', () => {
  it('include pins of hidden tools', () => {
    expect(messages({ deny: ['transfer_*'], pins: ['bank/transfer_money'] })).toEqual([
      'toolsearch.pins[0] "bank/transfer_money" has no effect: toolsearch.deny[0] hides the tool.',
    ])
  })

  it('include unknown parameters, which hide the tool', () => {
    const overrides = { transfer_money: { parameters: { amout: { value: 1 } } } }
    const { gateway } = open({}, { overrides })
    expect(gateway.setupProblems()).toMatchObject([
      {
        kind: 'override',
        path: ['toolsearch', 'overrides', 'transfer_money', 'parameters', 'amout'],
        message:
          'toolsearch.overrides.transfer_money.parameters.amout of server "bank" is not a parameter of the tool, so the tool is hidden. Did you mean "amount"?',
      },
    ])
    expect(gateway.toolSearch.catalogue.has('bank__transfer_money')).toBe(false)
  })

  it('include fixed values that a tool does not accept', () => {
    const overrides = { transfer_money: { parameters: { amount: { value: 'all' } } } }
    expect(messages({}, { overrides })).toEqual([
      'toolsearch.overrides.transfer_money.parameters.amount of server "bank" has an invalid value: amount must be number.',
    ])
  })

  it('include names that are already taken', () => {
    const overrides = { transfer_money: { name: 'get_balance' } }
    const { gateway } = open({}, { overrides })
    expect(gateway.setupProblems()).toMatchObject([
      {
        kind: 'renamed',
        tool: 'bank__get_balance_2',
        message:
          'toolsearch.overrides.transfer_money.name "get_balance" of server "bank" is already the name of another tool, so it is offered as "bank__get_balance_2". Choose a name for it in "overrides", or add it to "deny".',
      },
    ])
    expect(gateway.origin('bank__get_balance')?.tool.name).toBe('get_balance')
  })
})

it('scripts are reported in mode passthrough, unless a profile has another mode', () => {
  const scripts = {
    timeoutMs: 1_000,
    cpuMs: 1_000,
    memoryMb: 16,
    calls: 10,
    parallelCalls: 2,
    chars: 1_000,
    outputChars: 1_000,
  }
  expect(messages({ scripts, mode: 'passthrough' })).toEqual([
    'toolsearch.scripts has no effect in mode "passthrough". Change toolsearch.mode, or remove toolsearch.scripts.',
  ])
  expect(messages({ scripts, mode: 'search' })).toEqual([])
  const profiles = { team: { deny: [], readOnly: false, mode: 'search' } } as const
  expect(messages({ scripts, mode: 'passthrough', profiles })).toEqual([])
})
