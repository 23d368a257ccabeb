import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { fingerprint } from './fingerprint.ts'

/** JSON of few different parts, so that two values often resemble each other. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom('a', 'b', '', 1, null, '__proto__', '10'),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', '9', '10'), tie('value'), { maxKeys: 2 }),
    fc.array(fc.tuple(fc.constantFrom('a', 'b'), tie('value')), { maxLength: 2 }),
  ),
}))

it('two values have the same fingerprint only if they are equal', () => {
  checkProperty(
    fc.property(value, value, (one, other) => {
      const [a, b] = [one, other].map((each) => JSON.parse(JSON.stringify(each)))
      expect(fingerprint(a) === fingerprint(b)).toBe(isDeepStrictEqual(a, b))
    }),
  )
})

it.each([
  [{ a: 1 }, [['a', 1]]],
  [{}, []],
  [{ a: { b: 2 } }, { a: [['b', 2]] }],
])('%j is not %j', (one, other) => {
  expect(fingerprint(one)).not.toBe(fingerprint(other))
})

it('ignores the order of keys', () => {
  expect(fingerprint({ b: { d: 1, c: 2 }, a: 3 })).toBe(fingerprint({ a: 3, b: { c: 2, d: 1 } }))
})
