import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import { createBigramProfile } from '../words/bigram-profile.ts'

const MIN_SIMILARITY = 0.45

/**
 * The names most similar to a name that does not exist, so that a model can correct its call.
 * Compares the full names and, for MCP tools, the names without the server prefix.
 */
export function closestNames(name: string, tools: Iterable<Tool>, limit = 3): string[] {
  const lower = name.toLowerCase()
  const tail = tailStart(lower)
  const wanted = createBigramProfile(lower)
  const wantedTail = tail === 0 ? wanted : createBigramProfile(lower.slice(tail))
  const close: { name: string; similarity: number }[] = []
  for (const tool of tools) {
    const candidate = tool.name.toLowerCase()
    const candidateTail = tailStart(candidate)
    let similarity = wanted.dice(candidate)
    if (tail > 0 || candidateTail > 0) {
      similarity = Math.max(similarity, wantedTail.dice(candidate, candidateTail))
    }
    if (similarity >= MIN_SIMILARITY) close.push({ name: tool.name, similarity })
  }
  return close
    .sort((a, b) => b.similarity - a.similarity || compareNames(a.name, b.name))
    .slice(0, limit)
    .map((close) => close.name)
}

/** Where the name without the server prefix starts. */
function tailStart(name: string): number {
  const at = name.lastIndexOf('__')
  return at < 0 ? 0 : at + 2
}
