import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { savingsReport } from './savings-report.ts'
import { toolText, toolTokens } from './tool-tokens.ts'

describe('savingsReport', () => {
  it('reports tokens per source, sent tokens and savings', () => {
    const tools = [
      readDefinition({ name: 'mcp__git__log', description: 'Shows the history of a branch' }),
      readDefinition({ name: 'mcp__git__diff', description: 'Shows what changed in a file' }),
      readDefinition({ name: 'mcp__mail__send', description: 'Sends a mail' }),
      readDefinition({ name: 'shell', description: 'Runs it' }),
    ]
    const search = { name: 'tool_search', description: 'Finds', inputSchema: { type: 'object' } }
    const sent = [search, toolText(tools[3]!)]
    const announcement = '- mcp__git__diff\n- mcp__git__log\n- mcp__mail__send'
    const cost = (index: number) => toolTokens(tools[index]!, countTokens)

    const report = savingsReport({ tools, sent, announcement }, countTokens)

    const eager = cost(0) + cost(1) + cost(2) + cost(3)
    const sentTools = toolTokens(search, countTokens) + cost(3)
    const total = sentTools + countTokens(announcement)
    expect(report).toEqual({
      eager,
      sent: total,
      sentTools,
      announcement: countTokens(announcement),
      saved: eager - total,
      savedShare: (eager - total) / eager,
      sources: [
        { source: 'mcp:git', tools: 2, tokens: cost(0) + cost(1) },
        { source: 'mcp:mail', tools: 1, tokens: cost(2) },
        { source: 'builtin', tools: 1, tokens: cost(3) },
      ],
    })
    expect(report.sources.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(report.eager)
  })

  it('returns plain data', () => {
    const tools = [readDefinition({ name: 'a' })]
    const report = savingsReport({ tools, sent: [] }, countTokens)
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
  })

  it('reports no savings if every tool is sent', () => {
    const tools = [readDefinition({ name: 'a' }), readDefinition({ name: 'b' })]
    const report = savingsReport({ tools, sent: tools.map(toolText) }, countTokens)
    expect(report).toMatchObject({ saved: 0, savedShare: 0, announcement: 0 })
    expect(report.sent).toBe(report.eager)
  })

  it('reports negative savings if the search tool costs more than it saves', () => {
    const tools = [readDefinition({ name: 'a' })]
    const search = { name: 'tool_search', description: 'x '.repeat(200), inputSchema: {} }
    const report = savingsReport({ tools, sent: [search] }, countTokens)
    expect(report.saved).toBeLessThan(0)
    expect(report.savedShare).toBeLessThan(0)
  })

  it('reports a share of 0 without tools', () => {
    expect(savingsReport({ tools: [], sent: [] }, countTokens)).toEqual({
      eager: 0,
      sent: 0,
      sentTools: 0,
      announcement: 0,
      saved: 0,
      savedShare: 0,
      sources: [],
    })
  })

  it('sorts sources by cost, then by name', () => {
    const tools = [
      readDefinition({ name: 'x', source: 'mcp:b' }),
      readDefinition({ name: 'y', source: 'mcp:a' }),
      readDefinition({ name: 'z', source: 'mcp:c', description: 'a much longer description' }),
    ]
    const { sources } = savingsReport({ tools, sent: [] }, (text) => text.length)
    expect(sources.map(({ source }) => source)).toEqual(['mcp:c', 'mcp:a', 'mcp:b'])
  })
})
