import { Ajv2020 } from 'ajv/dist/2020.js'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { wireCatalogue } from './wire-catalogue.ts'

const tokens = wireCatalogue.map(({ name, description, inputSchema }) =>
  countTokens(JSON.stringify({ name, description, inputSchema })),
)

describe('wireCatalogue', () => {
  it.each([
    ['mcp:coppice', 35],
    ['mcp:banter', 11],
    ['mcp:stumble', 5],
    ['mcp:dialhouse', 5],
    ['mcp:logbarn', 2],
  ])('has of %s %i tools', (server, count) => {
    expect(wireCatalogue.filter(({ source }) => source === server)).toHaveLength(count)
  })

  it('has 58 tools in 52,000 to 58,000 tokens', () => {
    expect(wireCatalogue).toHaveLength(58)
    const total = tokens.reduce((sum, count) => sum + count, 0)
    expect(total).toBeGreaterThanOrEqual(52_000)
    expect(total).toBeLessThanOrEqual(58_000)
  })

  it('has small tools and large ones', () => {
    expect(Math.min(...tokens)).toBeLessThan(200)
    expect(Math.max(...tokens)).toBeGreaterThan(3_000)
  })

  it.each(wireCatalogue)('gives $name a schema that compiles', ({ inputSchema }) => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    expect(() => ajv.compile(inputSchema!)).not.toThrow()
  })
})
