import { expect } from 'vitest'
import { readDefinition } from '../catalogue/read-definition.ts'
import { readWords } from './ranker.cases.ts'
import type { Ranker, Ranking } from './ranker.ts'

interface ServerTool {
  readonly server: string
  readonly name: string
  readonly description: string
}

/** Ranks tools of MCP servers. */
export function rankTools(ranker: Ranker, query: string, tools: readonly ServerTool[]): Ranking {
  for (const { server, name, description } of tools) {
    ranker.set(
      readDefinition({ name: `mcp__${server}__${name}`, source: `mcp:${server}`, description }),
    )
  }
  return ranker.rank(readWords(query), { limit: 5, ties: 'catalogue', explain: true })
}

/** The parts of every hit add up to its score. */
export function expectSums({ hits, explain }: Ranking): void {
  expect(hits.length).toBeGreaterThan(0)
  for (const { tool, score } of hits) {
    const parts = explain!(tool.name)
    expect(parts.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(score, 9)
  }
}
