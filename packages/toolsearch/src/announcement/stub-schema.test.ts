import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { stubSchema } from './stub-schema.ts'

describe('stubSchema', () => {
  it('contains the note as its description', () => {
    expect(stubSchema('Search first.')).toEqual({
      type: 'object',
      description: 'Search first.',
      additionalProperties: true,
    })
  })

  it('has no description without a note', () => {
    expect(stubSchema()).toEqual({ type: 'object', additionalProperties: true })
  })

  it('accepts any object and nothing else', () => {
    const validate = new Ajv2020().compile(stubSchema('Search first.'))
    expect(validate({})).toBe(true)
    expect(validate({ path: 'x', deep: { list: [1, null] } })).toBe(true)
    expect(validate('x')).toBe(false)
  })
})
