import { describe, expect, it } from 'vitest'
import type { GatewayConfig, ServerConfig } from '../config/gateway-config.ts'
import { LOCAL_CALLER } from '../identity/caller.ts'
import { createGateway, type Gateway } from './gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from './upstream-set.fixtures.ts'

const inputSchema = { type: 'object', properties: {} }
const tool = (name: string, annotations: object = {}) => ({
  name,
  description: `Handles ${name.replaceAll('_', ' ')}`,
  inputSchema,
  annotations,
})
const read = { readOnlyHint: true }

const bank = {
  tools: [tool('get_balance', read), tool('transfer_money'), tool('transfer_shares')],
}
const mail = { tools: [tool('read_mail', read), tool('send_mail', { destructiveHint: false })] }

function open(
  gateway: Partial<GatewayConfig>,
  { bank: ofBank = {} }: { bank?: Partial<ServerConfig> } = {},
) {
  const set = upstreamSet({ bank, mail })
  const servers = [serverConfig('bank', ofBank), serverConfig('mail')]
  return { set, gateway: createGateway(gatewayConfig(servers, gateway), set) }
}

const offered = ({ toolSearch }: Gateway) => toolSearch.catalogue.sorted().map(({ name }) => name)
const textOf = async (result: ReturnType<Gateway['callTool']>) => JSON.stringify(await result)

describe('the reason why a server fails', () => {
  const detail = 'toolsearch.json, line 12: "args" of server "bank" uses a value of a person.'
  const problems = [{ file: 'toolsearch.json', line: 12, column: 3, message: 'x', fix: 'y' }]
  const ask = async (more: Partial<GatewayConfig>, entry: Partial<ServerConfig>) => {
    const set = upstreamSet({ mail, bank: { tools: [], state: 'failed', detail } })
    const servers = [serverConfig('bank', entry), serverConfig('mail')]
    const gateway = createGateway(gatewayConfig(servers, more), set)
    const view = gateway.view(LOCAL_CALLER)
    return textOf(view.callTool({ name: 'tool_search', arguments: { query: 'balance' } }))
  }

  it.each<[string, Partial<ServerConfig>]>([
    ['a mistake in its entry', { problems }],
    ['what happens while it runs', {}],
  ])('reaches the model of a single person, but not those of a team: %s', async (_, entry) => {
    expect(await ask({}, entry)).toContain('line 12')
    const identity = { url: 'https://tools.example.com', issuers: [], administrators: [] }
    const text = await ask({ identity: { ...identity, clockSkewSeconds: 0, apiKeys: true } }, entry)
    expect(text).toContain('Ask the administrator of the gateway.')
    expect(text).not.toContain('line 12')
  })
})

describe('access rules of the gateway and of a server', () => {
  it('hide tools by pattern', () => {
    const { gateway } = open({ deny: ['transfer_*'] })
    expect(offered(gateway)).toEqual(['bank__get_balance', 'mail__read_mail', 'mail__send_mail'])
    expect(gateway.hiddenTools()).toEqual([
      { server: 'bank', tool: 'transfer_money', hiddenBy: 'toolsearch.deny[0]' },
      { server: 'bank', tool: 'transfer_shares', hiddenBy: 'toolsearch.deny[0]' },
    ])
  })

  it('must both permit a tool', () => {
    const { gateway } = open(
      { allow: ['transfer_*', 'mail/*'] },
      { bank: { allow: ['transfer_money', 'get_balance'] } },
    )
    expect(offered(gateway)).toEqual(['bank__transfer_money', 'mail__read_mail', 'mail__send_mail'])
  })

  it('apply to one server only where they are set for it', () => {
    const { gateway } = open({}, { bank: { readOnly: true } })
    expect(offered(gateway)).toEqual(['bank__get_balance', 'mail__read_mail', 'mail__send_mail'])
    expect(gateway.hiddenTools()[0]).toMatchObject({
      hiddenBy: 'toolsearch.readOnly of server "bank"',
    })
  })

  it('apply to all servers with readOnly, which a server cannot lift', () => {
    const { gateway } = open({ readOnly: true }, { bank: { readOnly: false } })
    expect(offered(gateway)).toEqual(['bank__get_balance', 'mail__read_mail'])
  })

  it('hide tools of disabledTools by exact name, not by effect', () => {
    const { gateway } = open({}, { bank: { disabledTools: ['destructive', 'get_balance'] } })
    expect(offered(gateway)).not.toContain('bank__get_balance')
    expect(offered(gateway)).toContain('bank__transfer_money')
  })

  it('judge effects by the annotations of an override', () => {
    const overrides = {
      get_balance: { annotations: { readOnlyHint: false } },
      transfer_money: { annotations: { readOnlyHint: true } },
    }
    const { gateway } = open({ readOnly: true }, { bank: { overrides } })
    expect(offered(gateway)).toEqual(['bank__transfer_money', 'mail__read_mail'])
  })

  it('take effect when the configuration changes', async () => {
    const { gateway, set } = open({ pins: ['bank/transfer_money'] })
    expect(gateway.listTools().map(({ name }) => name)).toContain('bank__transfer_money')
    gateway.configure({ ...gateway.config, deny: ['transfer_money'] })
    expect(gateway.listTools().map(({ name }) => name)).not.toContain('bank__transfer_money')
    expect(await gateway.callTool({ name: 'bank__transfer_money' })).toHaveProperty('isError')
    expect(set.calls).toEqual([])
  })

  it('keep hiding the tools of a server that is being removed', () => {
    const { gateway } = open({}, { bank: { deny: ['transfer_*'] } })
    gateway.configure(gatewayConfig([serverConfig('mail')]))
    expect(offered(gateway)).toEqual(['mail__read_mail', 'mail__send_mail'])
    gateway.configure(gatewayConfig([serverConfig('bank', { disabled: true })]))
    expect(offered(gateway)).toEqual([])
  })
})
