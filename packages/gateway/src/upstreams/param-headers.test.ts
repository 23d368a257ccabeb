import { describe, expect, it } from 'vitest'
import { paramHeaders } from './param-headers.ts'

const tool = {
  name: 'query',
  inputSchema: {
    properties: {
      region: { type: 'string', 'x-mcp-header': 'Region' },
      limit: { type: 'integer', 'x-mcp-header': 'Limit' },
      dry: { type: 'boolean', 'x-mcp-header': 'Dry' },
      where: { properties: { tenant: { type: 'string', 'x-mcp-header': 'Tenant' } } },
      bad: { type: 'string', 'x-mcp-header': 'not a name' },
      other: { type: 'string' },
    },
  },
}

describe('paramHeaders', () => {
  it('repeats the arguments that the schema marks', () => {
    const where = { tenant: 'a b' }
    const args = { region: 'eu', limit: 3, dry: false, where, bad: 'x', other: 'y' }
    expect(paramHeaders(tool, args)).toEqual({
      'Mcp-Param-Region': 'eu',
      'Mcp-Param-Limit': '3',
      'Mcp-Param-Dry': 'false',
      'Mcp-Param-Tenant': 'a b',
    })
  })

  it.each([
    ['Zürich', '=?base64?WsO8cmljaA==?='],
    [' a', '=?base64?IGE=?='],
    ['', '=?base64??='],
    ['=?base64?YQ==?=', '=?base64?PT9iYXNlNjQ/WVE9PT89?='],
  ])('writes %j as a header can carry it', (region, header) => {
    expect(paramHeaders(tool, { region })).toEqual({ 'Mcp-Param-Region': header })
  })

  it.each([
    ['no tool', undefined, { region: 'eu' }],
    ['no arguments', tool, undefined],
    ['nothing marked', tool, { other: 'x', region: null }],
  ])('says nothing for %s', (_, which, args) => {
    expect(paramHeaders(which, args)).toBeUndefined()
  })
})
