import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { CountTokens } from './estimate-tokens.ts'
import { type ToolText, toolTokens } from './tool-tokens.ts'

/** The tokens of a request's tools with and without deferral. */
export interface SavingsReport {
  /** The tokens of all tools, as if nothing were deferred. */
  readonly eager: number
  /** The tokens of this request: `sentTools` + `announcement`. */
  readonly sent: number
  readonly sentTools: number
  readonly announcement: number
  /** `eager` - `sent`. Negative if the search tool and the announcement cost more than they save. */
  readonly saved: number
  /** `saved` as a share of `eager`. */
  readonly savedShare: number
  readonly sources: readonly SourceCost[]
}

interface SourceCost {
  readonly source: string
  readonly tools: number
  readonly tokens: number
}

export interface SavingsInput {
  /** All tools that the caller may use. */
  readonly tools: readonly Tool[]
  /** The tools in the request. */
  readonly sent: readonly ToolText[]
  /** The text that announces hidden tools. */
  readonly announcement?: string | undefined
}

/** Compares the tokens of a request with sending every tool. The most expensive source is first. */
export function savingsReport(
  { tools, sent, announcement = '' }: SavingsInput,
  countTokens: CountTokens,
): SavingsReport {
  const bySource = new Map<string, { tools: number; tokens: number }>()
  for (const tool of tools) {
    const { tools: count, tokens } = bySource.get(tool.source) ?? { tools: 0, tokens: 0 }
    bySource.set(tool.source, { tools: count + 1, tokens: tokens + toolTokens(tool, countTokens) })
  }
  const sources = [...bySource]
    .map(([source, cost]) => ({ source, ...cost }))
    .sort((a, b) => b.tokens - a.tokens || compareNames(a.source, b.source))

  const eager = sources.reduce((sum, source) => sum + source.tokens, 0)
  const sentTools = sent.reduce((sum, tool) => sum + toolTokens(tool, countTokens), 0)
  const announcementTokens = countTokens(announcement)
  const total = sentTools + announcementTokens
  return {
    eager,
    sent: total,
    sentTools,
    announcement: announcementTokens,
    saved: eager - total,
    savedShare: eager === 0 ? 0 : (eager - total) / eager,
    sources,
  }
}
