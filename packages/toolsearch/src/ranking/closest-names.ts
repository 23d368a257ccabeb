import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import { createBigramProfile } from '../words/bigram-profile.ts'

const LIKENESS = 0.45

/**
 * The names most like one that does not exist, so that a model's next call can succeed.
 * An MCP tool is compared by its full name and by the part its server gave it.
 */
export function closestNames(name: string, tools: Iterable<Tool>, limit = 3): string[] {
  const wanted = createBigramProfile(name.toLowerCase())
  const wantedTail = createBigramProfile(tailOf(name.toLowerCase()))
  const close: { name: string; likeness: number }[] = []
  for (const tool of tools) {
    const candidate = tool.name.toLowerCase()
    const likeness = Math.max(wanted.dice(candidate), wantedTail.dice(tailOf(candidate)))
    if (likeness >= LIKENESS) close.push({ name: tool.name, likeness })
  }
  return close
    .sort((a, b) => b.likeness - a.likeness || compareNames(a.name, b.name))
    .slice(0, limit)
    .map((one) => one.name)
}

function tailOf(name: string): string {
  const at = name.lastIndexOf('__')
  return at < 0 ? name : name.slice(at + 2)
}
