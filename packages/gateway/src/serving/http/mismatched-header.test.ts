import { describe, expect, it } from 'vitest'
import { paramHeaders } from '../../protocol/param-headers.ts'
import { mismatchedHeader } from './mismatched-header.ts'

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    deep: { type: 'object', properties: { on: { type: 'boolean', 'x-mcp-header': 'On' } } },
    free: { type: 'string' },
  },
}
const check = (args: unknown, headers: Record<string, string> = {}) =>
  mismatchedHeader(schema, args, (name) => new Headers(headers).get(name))
const region = (value: string) => ({ 'mcp-param-region': value })

describe('mismatchedHeader', () => {
  it.each([
    [{}, {}],
    [{ free: 'x' }, {}],
    [{ region: null }, {}],
    [{}, region('ignored')],
    [{ region: 'west' }, region('west')],
    [{ region: 'Hello' }, region('=?base64?SGVsbG8=?=')],
    [{ region: 'SGVsbG8=' }, region('SGVsbG8=')],
    [{ region: '=?base64?SGVsbG8=' }, region('=?base64?SGVsbG8=')],
    [{ count: 42 }, { 'Mcp-Param-Count': '42.0' }],
    [{ deep: { on: false } }, { 'Mcp-Param-On': 'false' }],
  ])('accepts %j with headers %j', (args, headers) => {
    expect(check(args, headers)).toBeUndefined()
  })

  it.each([
    [{ region: 'west' }, {}, 'missing'],
    [{ region: 'west' }, region('east'), 'not match'],
    [{ region: 'Hello' }, region('=?base64?SGVsbG8?='), 'base64'],
    [{ region: 'Hello' }, region('=?base64?SGVs!!!bG8=?='), 'base64'],
    [{ region: 'ÿ' }, region('=?base64?/w==?='), 'base64'],
    [{ count: 42 }, { 'Mcp-Param-Count': '0x2a' }, 'not match'],
    [{ deep: { on: false } }, { 'Mcp-Param-On': 'true' }, 'not match'],
  ])('rejects %j with headers %j', (args, headers, reason) => {
    expect(check(args, headers)).toContain(reason)
  })

  it('accepts the headers that the gateway itself sends to servers', () => {
    const args = { region: ' Köln ', count: -3, deep: { on: true } }
    const headers = paramHeaders({ name: 'x', inputSchema: schema }, args)
    expect(check(args, headers)).toBeUndefined()
  })
})
