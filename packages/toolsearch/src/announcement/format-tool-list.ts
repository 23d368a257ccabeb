import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { cutText, nameLine } from './cut-text.ts'

/** What the list of hidden tools contains: nothing, names, or names with hints or descriptions. */
export type ListingStyle = 'none' | 'names' | 'hints' | 'lines'

export interface ListingOptions {
  readonly style: ListingStyle
  readonly countTokens: CountTokens
  /**
   * Maximum number of tokens. If the list needs more, the most expensive sources are shortened
   * first: to names only, then to their number of tools, and finally all sources to one number.
   * @default 4_000
   */
  readonly budget?: number
}

/** Characters of a description. */
const LINE_LENGTH = 120

/**
 * Lists hidden tools, one per line, sorted by name. The result depends only on the set of tools.
 * Empty if there is nothing to list.
 */
export function formatToolList(
  tools: readonly Tool[],
  { style, countTokens, budget = 4_000 }: ListingOptions,
): string {
  if (style === 'none' || tools.length === 0) return ''
  const sources = groupBySource(tools)
  const total = `- ${countOf(tools)} from ${sources.length} sources`
  // a line needs at least one token, so there is no need to count
  if (sources.length > budget && sources.length > 1) return total
  const groups = sources.map(([source, members]): Group => {
    const names = members.map((tool) => ({ name: tool.name, line: `- ${labelOf(tool)}` }))
    const toEntry = (tool: Tool) => ({ name: tool.name, line: lineOf(tool, style) })
    const full = style === 'names' ? names : members.map(toEntry)
    // '\uffff' sorts the count after all names
    const from = nameLine(source)
    const count = [{ name: '\uffff', line: `- ${countOf(members)} from ${from}` }]
    return { forms: keepCheaper([...new Set([full, names, count])], countTokens), level: 0 }
  })
  if (shrinkToFit(groups, budget) > budget && groups.length > 1) return total
  return groups
    .flatMap(({ forms, level }) => forms[level]!.entries)
    .sort((a, b) => compareNames(a.name, b.name) || compareNames(a.line, b.line))
    .map(({ line }) => line)
    .join('\n')
}

interface Entry {
  readonly name: string
  readonly line: string
}

interface Group {
  /** Different texts for the same tools, each cheaper than the one before. */
  readonly forms: readonly { readonly entries: readonly Entry[]; readonly tokens: number }[]
  level: number
}

function groupBySource(tools: readonly Tool[]): [string, Tool[]][] {
  const groups = new Map<string, Tool[]>()
  for (const tool of tools) {
    const group = groups.get(tool.source)
    if (group) group.push(tool)
    else groups.set(tool.source, [tool])
  }
  return [...groups].sort(([a], [b]) => compareNames(a, b))
}

function lineOf(tool: Tool, style: ListingStyle): string {
  const text = { none: '', names: '', hints: tool.searchHint ?? '', lines: tool.description }[style]
  const line = cutText(text, LINE_LENGTH)
  return line === '' ? `- ${labelOf(tool)}` : `- ${labelOf(tool)}: ${line}`
}

function labelOf({ name, skill }: Tool): string {
  return skill ? `${nameLine(name)} (skill)` : nameLine(name)
}

function countOf(tools: readonly Tool[]): string {
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`
}

/** Drops each form that needs no fewer tokens than the one before it. */
function keepCheaper(
  forms: readonly (readonly Entry[])[],
  countTokens: CountTokens,
): Group['forms'] {
  const cheaper: { entries: readonly Entry[]; tokens: number }[] = []
  for (const entries of forms) {
    const tokens = countTokens(entries.map(({ line }) => `${line}\n`).join(''))
    if (cheaper.length === 0 || tokens < cheaper.at(-1)!.tokens) cheaper.push({ entries, tokens })
  }
  return cheaper
}

/** Shortens the most expensive groups first: all of them to names before any of them to a count. */
function shrinkToFit(groups: readonly Group[], budget: number): number {
  const cost = ({ forms, level }: Group) => forms[level]!.tokens
  let total = groups.reduce((sum, group) => sum + cost(group), 0)
  for (const lowest of [1, 2]) {
    const shrinkable = groups.filter(
      ({ forms, level }) => level < Math.min(lowest, forms.length - 1),
    )
    for (const group of shrinkable.sort((a, b) => cost(b) - cost(a))) {
      if (total <= budget) return total
      total -= cost(group)
      group.level++
      total += cost(group)
    }
  }
  return total
}
