import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { onCallTools } from './on-call-tools.ts'

const tokens = onCallTools.map(({ name, description, inputSchema }) =>
  countTokens(JSON.stringify({ name, description, inputSchema })),
)

// The published figures of `npm run bench -- wire` are for exactly these tools.
describe('onCallTools', () => {
  it.each([
    ['mcp:coppice', 35],
    ['mcp:banter', 11],
    ['mcp:stumble', 5],
    ['mcp:dialhouse', 5],
    ['mcp:logbarn', 2],
  ])('includes all tools of %s (%i)', (server, count) => {
    expect(onCallTools.filter(({ source }) => source === server)).toHaveLength(count)
  })

  it('has 58 tools with 52,000 to 58,000 tokens in total', () => {
    expect(onCallTools).toHaveLength(58)
    const total = tokens.reduce((sum, count) => sum + count, 0)
    expect(total).toBeGreaterThanOrEqual(52_000)
    expect(total).toBeLessThanOrEqual(58_000)
  })

  it('has both small and large tools', () => {
    expect(Math.min(...tokens)).toBeLessThan(200)
    expect(Math.max(...tokens)).toBeGreaterThan(3_000)
  })
})
