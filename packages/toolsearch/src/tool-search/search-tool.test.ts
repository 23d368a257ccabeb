import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { searchTool } from './search-tool.ts'

describe('searchTool', () => {
  it('builds a definition from the given texts', () => {
    const tool = searchTool({
      name: 'find_tools',
      description: 'Finds tools.',
      query: 'What to find.',
      limit: { name: 'top_k', description: 'How many.', maximum: 20 },
    })
    expect(tool).toEqual({
      name: 'find_tools',
      description: 'Finds tools.',
      inputSchema: {
        type: 'object',
        properties: {
          query: { type: 'string', description: 'What to find.' },
          top_k: { type: 'integer', description: 'How many.', minimum: 1, maximum: 20 },
        },
        required: ['query'],
        additionalProperties: false,
      },
    })
  })

  it('sets no maximum for the limit by default', () => {
    const { inputSchema } = searchTool({
      name: 'find_tools',
      description: 'Finds tools.',
      query: 'What to find.',
      limit: { name: 'top_k', description: 'How many.' },
    })
    expect(inputSchema.properties).toMatchObject({ top_k: { minimum: 1 } })
    expect(JSON.stringify(inputSchema)).not.toContain('maximum')
  })

  it('keeps title, annotations, metadata and execution', () => {
    const fields = {
      title: 'Find tools',
      annotations: { readOnlyHint: true },
      metadata: { category: 'Search' },
      execution: 'sequential',
    } as const
    const tool = searchTool({ name: 'find_tools', description: '', query: '', ...fields })
    expect(tool).toMatchObject(fields)
  })

  it('accepts only a query if there is no limit argument', () => {
    const { inputSchema } = searchTool({
      name: 'find_tools',
      description: 'Finds tools.',
      query: 'What to find.',
    })
    const validate = new Ajv2020().compile(inputSchema)
    expect(validate({ query: 'x' })).toBe(true)
    expect(validate({ query: 'x', max_results: 3 })).toBe(false)
    expect(validate({})).toBe(false)
  })
})
