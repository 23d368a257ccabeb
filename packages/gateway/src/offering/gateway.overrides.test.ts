import { describe, expect, it } from 'vitest'
import type { ServerConfig, ToolOverride } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import { NO_APPROVAL_STORE } from './approvals/approval-store.ts'
import { createApprovals } from './approvals/approvals.ts'
import { createGateway } from './gateway.ts'
import { gatewayConfig, serverConfig, upstreamSet } from './upstream-set.fixtures.ts'

const transfer = {
  name: 'transfer_money',
  title: 'Transfer',
  description: 'Moves money',
  inputSchema: {
    type: 'object',
    properties: {
      to: { type: 'string' },
      currency: { type: 'string', enum: ['EUR', 'USD'] },
      dry_run: { type: 'boolean' },
    },
    required: ['to', 'currency'],
    additionalProperties: false,
  },
  annotations: { title: 'Transfer', idempotentHint: true },
}

function open(
  override: ToolOverride,
  { tool = transfer, own = {} }: { tool?: typeof transfer; own?: Partial<ServerConfig> } = {},
) {
  const set = upstreamSet({ bank: { tools: [tool, { ...tool, name: 'refund' }] } })
  const server = serverConfig('bank', { overrides: { transfer_money: override }, ...own })
  const config = gatewayConfig([server], { mode: 'passthrough' })
  const gateway = createGateway(config, set)
  const call = (args: JsonObject, name = 'bank__transfer_money') =>
    gateway.callTool({ name, arguments: args })
  return { set, gateway, call }
}

describe('overrides', () => {
  it('replace the name, title, description and single annotations', () => {
    const { gateway } = open({
      name: 'pay',
      title: 'Pay',
      description: 'Pays a supplier',
      annotations: { destructiveHint: false },
    })
    expect(gateway.listTools()[0]).toEqual({
      ...transfer,
      name: 'bank__pay',
      title: 'Pay',
      description: 'Pays a supplier',
      annotations: { title: 'Transfer', idempotentHint: true, destructiveHint: false },
    })
    expect(gateway.toolSearch.search('supplier').hits[0]?.tool.name).toBe('bank__pay')
    expect(gateway.setupProblems()).toEqual([])
  })

  it('apply to the next call, also of a server with very many tools', async () => {
    const many = Array.from({ length: 500 }, (_, at) => ({ ...transfer, name: `tool_${at}` }))
    const set = upstreamSet({ bank: { tools: [transfer, ...many] } })
    const gateway = createGateway(gatewayConfig([serverConfig('bank')]), set)
    await gateway.ready()
    const overrides = {
      transfer_money: { parameters: { dry_run: { value: true } } },
      tool_7: { annotations: { readOnlyHint: true } },
    }
    gateway.configure(gatewayConfig([serverConfig('bank', { overrides, deny: ['tool_8'] })]))
    const args = { to: 'Anna', currency: 'EUR', dry_run: false }
    await gateway.callTool({ name: 'bank__transfer_money', arguments: args })
    expect(set.calls.map(({ params }) => params.arguments)).toEqual([{ ...args, dry_run: true }])
    expect(gateway.targetOf({ name: 'bank__tool_7' })?.annotations).toMatchObject({
      readOnlyHint: true,
    })
    expect(gateway.targetOf({ name: 'bank__tool_8' })).toBeUndefined()
  })

  it('call the tool by its original name, which no longer answers itself', async () => {
    const { set, call } = open({ name: 'pay' })
    const args = { to: 'Anna', currency: 'EUR' }
    expect(await call(args)).toMatchObject({ isError: true })
    expect(set.calls).toEqual([])
    await call(args, 'bank__pay')
    expect(set.calls[0]?.params).toMatchObject({ name: 'transfer_money', arguments: args })
  })

  it('hide a parameter and send its value with every call', async () => {
    const { set, gateway, call } = open({
      parameters: { currency: { value: 'EUR' }, dry_run: { value: true } },
    })
    expect(gateway.listTools()[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { to: { type: 'string' } },
      required: ['to'],
      additionalProperties: false,
    })
    await call({ to: 'Anna' })
    expect(set.calls[0]?.params.arguments).toEqual({ to: 'Anna', currency: 'EUR', dry_run: true })
    // Whatever the agent passes.
    await call({ to: 'Anna', dry_run: false })
    expect(set.calls[1]?.params.arguments).toEqual({ to: 'Anna', currency: 'EUR', dry_run: true })
  })

  it('let the fixed value win where the schema accepts other arguments', async () => {
    const { additionalProperties: _, ...inputSchema } = transfer.inputSchema
    const tool = { ...transfer, inputSchema: inputSchema as typeof transfer.inputSchema }
    const { set, call } = open({ parameters: { dry_run: { value: true } } }, { tool })
    const others = { Dry_Run: false, DRY_RUN: false, ｄry_run: false }
    await call({ to: 'Anna', currency: 'EUR', dry_run: false, note: 'x', ...others })
    const sent = { to: 'Anna', currency: 'EUR', note: 'x', dry_run: true }
    expect(set.calls[0]?.params.arguments).toEqual(sent)
  })

  it('send a fixed value through a call tool too', async () => {
    const { set, gateway } = open({ parameters: { currency: { value: 'EUR' } } })
    const args = { name: 'bank__transfer_money', arguments: '{"to":"Anna"}' }
    await gateway.callTool({ name: 'call_destructive_tool', arguments: args })
    expect(set.calls[0]?.params.arguments).toEqual({ to: 'Anna', currency: 'EUR' })
  })

  it('keep the alternatives of a schema that a fixed value permits', async () => {
    const inputSchema = {
      type: 'object',
      properties: { kind: { type: 'string' }, iban: {}, card: {} },
      oneOf: [
        { properties: { kind: { const: 'iban' } }, required: ['kind', 'iban'] },
        { properties: { kind: { const: 'card' } }, required: ['kind', 'card'] },
      ],
    }
    const tool = { ...transfer, inputSchema: inputSchema as never }
    const { set, call } = open({ parameters: { kind: { value: 'iban' } } }, { tool })
    expect(await call({ card: '1' })).toMatchObject({ isError: true })
    await call({ iban: 'DE1' })
    expect(set.calls.map(({ params }) => params.arguments)).toEqual([{ iban: 'DE1', kind: 'iban' }])
  })

  it('find parameters behind a reference at the top of the schema', async () => {
    const inputSchema = { $ref: '#/$defs/Args', $defs: { Args: transfer.inputSchema } }
    const tool = { ...transfer, inputSchema: inputSchema as never }
    const { set, call } = open({ parameters: { currency: { value: 'EUR' } } }, { tool })
    await call({ to: 'Anna' })
    expect(set.calls[0]?.params.arguments).toEqual({ to: 'Anna', currency: 'EUR' })
  })

  it('leave deny, pins and hints to the original names', () => {
    const own = { deny: ['refund'], hints: { transfer_money: 'invoice' } }
    const { gateway } = open({ name: 'pay' }, { own })
    expect(gateway.toolSearch.search('invoice').hits[0]?.tool.name).toBe('bank__pay')
    gateway.configure({ ...gateway.config, mode: 'search', pins: ['bank/transfer_money'] })
    expect(gateway.listTools().at(-1)?.name).toBe('bank__pay')
    gateway.configure({ ...gateway.config, deny: ['pay'] })
    expect(gateway.toolSearch.catalogue.has('bank__pay')).toBe(true)
    gateway.configure({ ...gateway.config, deny: ['transfer_money'] })
    expect(gateway.toolSearch.catalogue.size).toBe(0)
  })

  it('can give a tool the name of a hidden one, and swap two names', () => {
    const hidden = open({ name: 'refund' }, { own: { deny: ['refund'] } })
    expect(hidden.gateway.origin('bank__refund')?.tool.name).toBe('transfer_money')
    expect(hidden.gateway.setupProblems()).toEqual([])
    const overrides = { transfer_money: { name: 'refund' }, refund: { name: 'transfer_money' } }
    const swapped = open({}, { own: { overrides } })
    expect(swapped.gateway.origin('bank__refund')?.tool.name).toBe('transfer_money')
    expect(swapped.gateway.origin('bank__transfer_money')?.tool.name).toBe('refund')
    expect(swapped.gateway.setupProblems()).toEqual([])
  })

  it('do not count as a change of the definition', async () => {
    const approvals = await createApprovals(NO_APPROVAL_STORE)
    const set = upstreamSet({ bank: { tools: [transfer] } })
    const gateway = createGateway(gatewayConfig([serverConfig('bank')]), set, { approvals })
    expect(gateway.changedTools()).toEqual([])
    const overrides = { transfer_money: { description: 'Pays', name: 'pay' } }
    gateway.configure(gatewayConfig([serverConfig('bank', { overrides })]))
    expect(gateway.changedTools()).toEqual([])
    set.change('bank', { tools: [{ ...transfer, description: 'Moves all money' }] })
    expect(gateway.changedTools()).toEqual(['bank__pay'])
  })
})
