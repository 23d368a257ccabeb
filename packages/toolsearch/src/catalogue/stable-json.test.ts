import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { stableJson } from './stable-json.ts'

describe('stableJson', () => {
  it.each<[unknown, string]>([
    [{ b: 1, a: 2 }, '{"a":2,"b":1}'],
    [{ z: { y: 1, x: [{ b: 1, a: 2 }] } }, '{"z":{"x":[{"a":2,"b":1}],"y":1}}'],
    [[3, 1, 2], '[3,1,2]'],
    [{ ä: 1, Z: 2, a: 3 }, '{"Z":2,"a":3,"ä":1}'],
    [{ a: undefined, b: null }, '{"b":null}'],
    [JSON.parse('{"b":1,"__proto__":{"d":1,"c":2}}'), '{"__proto__":{"c":2,"d":1},"b":1}'],
    ['text', '"text"'],
    [null, 'null'],
  ])('writes %j as %s', (value, text) => {
    expect(stableJson(value)).toBe(text)
  })

  it('preserves the data and returns equal text for equal data', async () => {
    await checkProperty(
      fc.property(fc.jsonValue(), (value) => {
        const text = stableJson(value)
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
        expect(stableJson(reversed(value))).toBe(text)
      }),
    )
  })
})

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, member]) => [key, reversed(member)]),
  )
}
