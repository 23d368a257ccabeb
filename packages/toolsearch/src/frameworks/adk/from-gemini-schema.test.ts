import { FunctionTool } from '@google/adk'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { adkTools } from './adk-tools.ts'
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

  it('reads the schemas of tools of ADK', () => {
    const tool = new FunctionTool({
      name: 'sum',
      description: 'Adds numbers',
      parameters: z.object({ numbers: z.array(z.number()).min(1) }),
      execute: ({ numbers }) => numbers.length,
    })
    expect(adkTools([tool])[0]!.inputSchema).toMatchObject({
      type: 'object',
      properties: { numbers: { type: 'array', items: { type: 'number' } } },
      required: ['numbers'],
    })
  })
})
