import type { McpTool } from '../../protocol/mcp-tool.ts'
import { definitionMark } from './definition-mark.ts'

/** A definition that another has taken the place of. */
export interface PastDefinition {
  /** When it was replaced, as an ISO date. */
  readonly replacedAt: string
  /** Whether it was the approved one then. */
  readonly isApproved: boolean
  readonly definition: McpTool
}

/** Past definitions by server and tool, latest first. */
export type DefinitionHistory = Map<string, Map<string, readonly PastDefinition[]>>

const MAX_DEFINITIONS = 5
const MAX_TOOLS = 500

/** Adds to what is known of one tool. */
export function addPast(
  history: DefinitionHistory,
  server: string,
  tool: string,
  past: readonly PastDefinition[],
): void {
  const tools = history.get(server) ?? new Map()
  history.set(server, tools.set(tool, bounded([...past, ...(tools.get(tool) ?? [])])))
}

/** Both. Tools that changed long ago are forgotten when there are too many. */
export function mergeHistories(
  one: DefinitionHistory,
  other: DefinitionHistory,
): DefinitionHistory {
  const both: DefinitionHistory = new Map()
  for (const history of [one, other]) {
    for (const [server, tools] of history) {
      for (const [tool, past] of tools) addPast(both, server, tool, past)
    }
  }
  const all = [...both].flatMap(([server, tools]) =>
    [...tools].map(([tool, past]) => ({ server, tool, at: past[0]?.replacedAt ?? '' })),
  )
  const old = all.sort((a, b) => b.at.localeCompare(a.at)).slice(MAX_TOOLS)
  for (const { server, tool } of old) both.get(server)?.delete(tool)
  return both
}

/** Each once, latest first, and the latest approved one in any case: others are compared with it. */
function bounded(past: readonly PastDefinition[]): readonly PastDefinition[] {
  const latest = past.toSorted((a, b) => b.replacedAt.localeCompare(a.replacedAt))
  const marks = new Set<string>()
  const single = latest.filter(({ definition }) => {
    const mark = definitionMark(definition)
    return !marks.has(mark) && marks.add(mark)
  })
  const approved = single.find(({ isApproved }) => isApproved)
  const kept = single.slice(0, MAX_DEFINITIONS)
  if (!approved || kept.includes(approved)) return kept
  return [...kept.slice(0, -1), approved]
}
