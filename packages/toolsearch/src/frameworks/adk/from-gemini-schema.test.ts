import { describe, expect, it } from 'vitest'
import { fromGeminiSchema } from './from-gemini-schema.ts'

describe('fromGeminiSchema', () => {
  it('translates types, counts and nested schemas', () => {
    expect(
      fromGeminiSchema({
        type: 'OBJECT',
        propertyOrdering: ['names'],
        properties: {
          names: { type: 'ARRAY', items: { type: 'STRING', minLength: '1' }, nullable: true },
          type: { anyOf: [{ type: 'NUMBER' }, { type: 'BOOLEAN' }] },
        },
        required: ['names'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        names: { type: ['array', 'null'], items: { type: 'string', minLength: 1 } },
        type: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
      },
      required: ['names'],
    })
  })
})
