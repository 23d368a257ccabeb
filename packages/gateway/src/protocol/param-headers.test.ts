import { describe, expect, it } from 'vitest'
import { checkParamHeaders, paramHeaders } from './param-headers.ts'

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
  it('repeats annotated arguments in headers', () => {
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
  ])('encodes %j for use in a header', (region, header) => {
    expect(paramHeaders(tool, { region })).toEqual({ 'Mcp-Param-Region': header })
  })

  it.each([
    ['no tool', undefined, { region: 'eu' }],
    ['no arguments', tool, undefined],
    ['no annotated argument', tool, { other: 'x', region: null }],
  ])('returns no headers for %s', (_, which, args) => {
    expect(paramHeaders(which, args)).toBeUndefined()
  })
})

describe('checkParamHeaders', () => {
  const toolWith = (properties: object) => ({ name: 'x', inputSchema: { properties } })
  const text = (header: unknown) => ({ type: 'string', 'x-mcp-header': header })

  it.each([
    [{}],
    [{ a: text('A'), b: { type: 'boolean', 'x-mcp-header': 'B' } }],
    [{ a: { type: 'object', properties: { b: text('B') } } }],
  ])('accepts %j', (properties) => {
    expect(checkParamHeaders(toolWith(properties))).toBeUndefined()
  })

  it.each([
    [{ a: text('') }],
    [{ a: text(7) }],
    [{ a: text('My Region') }],
    [{ a: text('Région') }],
    [{ a: text('A'), b: text('a') }],
    [{ a: { type: 'number', 'x-mcp-header': 'A' } }],
    [{ a: { type: 'object', 'x-mcp-header': 'A' } }],
    [{ a: { type: 'object', properties: { b: text(' ') } } }],
  ])('rejects %j', (properties) => {
    expect(checkParamHeaders(toolWith(properties))).toContain('x-mcp-header')
  })
})
