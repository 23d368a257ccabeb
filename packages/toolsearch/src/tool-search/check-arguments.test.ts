import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../catalogue/tool.ts'
import { checkArguments } from './check-arguments.ts'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    limit: { type: 'integer' },
    ratio: { type: 'number' },
    deep: { type: 'boolean' },
    tags: { type: 'array', items: { type: 'string' } },
    filter: { type: 'object' },
    parent: { type: ['string', 'null'] },
    anything: {},
    free: true,
  },
  required: ['path'],
}

describe('checkArguments', () => {
  it.each([
    [{ path: 'a' }],
    [{ path: '', limit: 0, ratio: 0.5, deep: false, tags: [], filter: {} }],
    [{ path: 'a', limit: 2.0, ratio: 2 }],
    [{ path: 'a', parent: null }],
    [{ path: 'a', parent: 'b' }],
    [{ path: 'a', anything: 7, free: [null] }],
    [{ path: 'a', unknown: 1 }],
  ])('accepts %j', (value) => {
    expect(checkArguments(schema, value)).toEqual([])
  })

  it.each<[unknown, string[]]>([
    [{}, ['"path" is required']],
    [{ limit: 1 }, ['"path" is required']],
    [{ path: 7 }, ['"path" must be string, not number']],
    [{ path: null }, ['"path" must be string, not null']],
    [{ path: ['a'] }, ['"path" must be string, not array']],
    [{ path: 'a', limit: 1.5 }, ['"limit" must be integer, not number']],
    [{ path: 'a', limit: '1' }, ['"limit" must be integer, not string']],
    [{ path: 'a', ratio: '1' }, ['"ratio" must be number, not string']],
    [{ path: 'a', deep: 'true' }, ['"deep" must be boolean, not string']],
    [{ path: 'a', tags: 'x' }, ['"tags" must be array, not string']],
    [{ path: 'a', tags: {} }, ['"tags" must be array, not object']],
    [{ path: 'a', filter: [] }, ['"filter" must be object, not array']],
    [{ path: 'a', parent: 1 }, ['"parent" must be string or null, not number']],
    [{ limit: 'x' }, ['"path" is required', '"limit" must be integer, not string']],
    ['path', ['the arguments must be an object']],
    [null, ['the arguments must be an object']],
    [undefined, ['the arguments must be an object']],
    [['a'], ['the arguments must be an object']],
    [7, ['the arguments must be an object']],
  ])('reports for %j: %j', (value, problems) => {
    expect(checkArguments(schema, value)).toEqual(problems)
  })

  it('accepts anything if the schema has no constraints', () => {
    expect(checkArguments({}, { a: 1 })).toEqual([])
    expect(checkArguments({ type: 'object', properties: {} }, {})).toEqual([])
  })

  it('ignores the boolean "required" of draft 3', () => {
    expect(checkArguments({ type: 'object', required: true }, {})).toEqual([])
  })

  it('does not count inherited properties as present', () => {
    const odd = { type: 'object', required: ['constructor', 'toString'] }
    expect(checkArguments(odd, {})).toEqual(['"constructor" is required', '"toString" is required'])
  })

  it('does not read types from inherited properties', () => {
    expect(checkArguments({ type: 'object', properties: {} }, { toString: 'x' })).toEqual([])
  })

  it.each(['dict', 'float', 'any', 'tuple'])('accepts every value for the type %s', (type) => {
    const odd = { type: 'object', properties: { a: { type } } }
    for (const a of ['x', 7, {}, []]) expect(checkArguments(odd, { a })).toEqual([])
  })

  it('treats an optional property with the value undefined as absent', () => {
    expect(checkArguments(schema, { path: 'a', limit: undefined })).toEqual([])
  })
})
