import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { CountTokens } from './estimate-tokens.ts'
import { type ToolText, toolTokens } from './tool-tokens.ts'

/** What a request's tools cost with and without deferral. All numbers are tokens unless named. */
export interface SavingsReport {
  /** Every tool, as if nothing were deferred. */
  readonly eager: number
  /** What this request really carries: the two below together. */
  readonly sent: number
  readonly sentTools: number
  readonly announcement: number
  readonly saved: number
  /** `saved` as a share of `eager`, 0 to 1. */
  readonly savedShare: number
  readonly sources: readonly SourceCost[]
}

export interface SourceCost {
  readonly source: string
  readonly tools: number
  readonly tokens: number
}

export interface SavingsInput {
  /** All tools the caller may use. */
  readonly tools: readonly Tool[]
  /** What the request carries. */
  readonly sent: readonly ToolText[]
  /** The text that makes hidden tools known. */
  readonly announcement?: string | undefined
}

/** The costliest source comes first. */
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
