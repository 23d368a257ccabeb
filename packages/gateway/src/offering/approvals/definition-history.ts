import { sizeUpTo } from '../../protocol/check-size.ts'
import type { McpTool } from '../../protocol/mcp-tool.ts'
import { definitionFingerprint } from './definition-fingerprint.ts'

/** A definition that has been replaced by a newer one. */
export interface PastDefinition {
  /** ISO date. */
  readonly replacedAt: string
  /** Whether it was the approved definition when it was replaced. */
  readonly isApproved: boolean
  readonly definition: McpTool
}

/** Past definitions by server and tool, latest first. */
export type DefinitionHistory = Map<string, Map<string, readonly PastDefinition[]>>

const MAX_DEFINITIONS = 5
const MAX_TOOLS = 500
/** Of all definitions as JSON, about: they are read and written as one text. */
const MAX_SIZE = 1_000_000

/** Adds past definitions of one tool. */
export function addPast(
  history: DefinitionHistory,
  server: string,
  tool: string,
  past: readonly PastDefinition[],
): void {
  const tools = history.get(server) ?? new Map()
  history.set(server, tools.set(tool, latestFive([...past, ...(tools.get(tool) ?? [])])))
}

/** Keeps the 500 most recently changed tools, or fewer if their definitions are large. */
export function mergeHistories(
  first: DefinitionHistory,
  second: DefinitionHistory,
): DefinitionHistory {
  const merged: DefinitionHistory = new Map()
  for (const history of [first, second]) {
    for (const [server, tools] of history) {
      for (const [tool, past] of tools) addPast(merged, server, tool, past)
    }
  }
  const all = [...merged].flatMap(([server, tools]) =>
    [...tools].map(([tool, past]) => ({ server, tool, past, at: past[0]?.replacedAt ?? '' })),
  )
  let size = 0
  for (const [index, { server, tool, past }] of all
    .sort((a, b) => b.at.localeCompare(a.at))
    .entries()) {
    const own = sizeUpTo(MAX_SIZE + 1, past)
    if (index < MAX_TOOLS && size + own <= MAX_SIZE) size += own
    else merged.get(server)?.delete(tool)
  }
  return merged
}

/**
 * Removes duplicates and keeps the latest five. The latest approved one is always among them, because
 * people compare the current definition with it.
 */
function latestFive(past: readonly PastDefinition[]): readonly PastDefinition[] {
  const latest = past.toSorted((a, b) => b.replacedAt.localeCompare(a.replacedAt))
  const fingerprints = new Set<string>()
  const distinct = latest.filter(({ definition }) => {
    const fingerprint = definitionFingerprint(definition)
    return !fingerprints.has(fingerprint) && fingerprints.add(fingerprint)
  })
  const approved = distinct.find(({ isApproved }) => isApproved)
  const kept = distinct.slice(0, MAX_DEFINITIONS)
  if (!approved || kept.includes(approved)) return kept
  return [...kept.slice(0, -1), approved]
}
