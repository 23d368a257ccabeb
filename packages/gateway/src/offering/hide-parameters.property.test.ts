import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkProperty } from '../../../../testing/deep.ts'
import { hideParameters } from './hide-parameters.ts'
import { createValidateArguments } from './validate-arguments.ts'

const validate = createValidateArguments()

describe('hideParameters', () => {
  it('accepts the same calls as the original schema does with the fixed value', async () => {
    const name = fc.constantFrom('kind', 'a', 'b')
    const names = fc.uniqueArray(name, { maxLength: 2 })
    const kind = fc.oneof(
      fc.record({ const: fc.constantFrom('x', 'y') }),
      fc.record({ enum: fc.constantFrom(['x'], ['y'], ['x', 'y']) }),
      fc.boolean(),
    )
    const other = fc.constantFrom({}, { type: 'number' }, { const: 1 }, false)
    // One keyword per branch: with many, hardly any call would be valid.
    const schema = fc.letrec((tie) => {
      const branch = tie('branch')
      const branches = fc.array(branch, { minLength: 1, maxLength: 2 })
      return {
        branch: fc.oneof(
          { maxDepth: 3 },
          fc.record({ properties: fc.record({ kind, a: other }, { requiredKeys: [] }) }),
          fc.record({ required: names }),
          fc.record({ minProperties: fc.integer({ min: 1, max: 3 }) }),
          fc.record({ maxProperties: fc.integer({ min: 1, max: 3 }) }),
          fc.record({ dependentRequired: fc.dictionary(name, names, { maxKeys: 2 }) }),
          fc.record({ dependentSchemas: fc.dictionary(name, branch, { maxKeys: 1 }) }),
          fc.record({ allOf: branches }),
          fc.record({ anyOf: branches }),
          fc.record({ oneOf: branches }),
          fc.record({ not: branch }),
          // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
          fc.record({ if: branch, then: branch, else: branch }),
        ),
      }
    }).branch
    const root = schema.map((branch) => ({
      type: 'object',
      properties: { kind: { type: 'string' }, a: {}, b: {} },
      additionalProperties: false,
      allOf: [branch],
    }))
    const args = fc.record(
      { a: fc.constantFrom(1, 'x'), b: fc.constantFrom(1, 'x') },
      { requiredKeys: [] },
    )
    await checkProperty(
      fc.property(root, args, (original, given) => {
        const hidden = hideParameters(original, { kind: 'x' })
        const expected = validate(original, { ...given, kind: 'x' }).length === 0
        expect(validate(hidden, given).length === 0, JSON.stringify(hidden)).toBe(expected)
      }),
    )
  })
})
