import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { estimateTokens } from './estimate-tokens.ts'
import { toolText, toolTokens } from './tool-tokens.ts'

describe('toolText', () => {
  it('has a valid schema, even if the tool has another', () => {
    const inputSchema = { type: 'dict', properties: { size: { type: 'float' } } }
    const tool = readDefinition({ name: 'a', inputSchema })
    expect(toolText(tool).inputSchema).toEqual({
      type: 'object',
      properties: { size: { type: 'number' } },
    })
    expect(tool.inputSchema).toBe(inputSchema)
  })

  it('returns only the fields that a request contains', () => {
    const tool = readDefinition({
      name: 'read_file',
      title: 'Read',
      description: 'Reads a file',
      inputSchema: { type: 'object', required: ['path'] },
      outputSchema: { type: 'object' },
      searchHint: 'open',
      tags: ['files'],
      metadata: { secret: 'never sent' },
    })
    expect(toolText(tool)).toEqual({
      name: 'read_file',
      description: 'Reads a file',
      inputSchema: { type: 'object', required: ['path'] },
    })
  })
})

describe('toolTokens', () => {
  it('counts name, description and schema as JSON', () => {
    const tool = readDefinition({ name: 'read_file', description: 'Reads a file' })
    const json =
      '{"name":"read_file","description":"Reads a file","inputSchema":{"type":"object","properties":{}}}'
    expect(toolTokens(tool, (text) => text.length)).toBe(json.length)
    expect(toolTokens(tool, countTokens)).toBe(countTokens(json))
    expect(toolTokens(tool, estimateTokens)).toBe(estimateTokens(json))
  })

  it('does not count fields that are never sent', () => {
    const plain = readDefinition({ name: 'read_file', description: 'Reads a file' })
    const loaded = readDefinition({
      name: 'read_file',
      description: 'Reads a file',
      searchHint: 'open a document',
      metadata: { long: 'x'.repeat(1_000) },
      outputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    })
    expect(toolTokens(loaded, countTokens)).toBe(toolTokens(plain, countTokens))
  })

  it('grows with the schema', () => {
    const small = readDefinition({ name: 'x' })
    const large = readDefinition({
      name: 'x',
      inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
    })
    expect(toolTokens(large, countTokens)).toBeGreaterThan(toolTokens(small, countTokens))
  })
})
