import { compareNames } from '../catalogue/compare-names.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { cutText } from './cut-text.ts'

/** How much is said of a hidden tool. */
export type ListingStyle = 'none' | 'names' | 'hints' | 'lines'

export interface ListingOptions {
  readonly style: ListingStyle
  readonly countTokens: CountTokens
  /**
   * Tokens the list may take. Past it the costliest source is told in fewer words: its names
   * without lines, then only how many tools it has, and at last all sources as one number.
   * @default 4_000
   */
  readonly budget?: number
  /**
   * Characters of description in a line.
   * @default 120
   */
  readonly lineLength?: number
}

/**
 * The list of hidden tools, one to a line, by name. The same tools give the same bytes.
 * Empty when there is nothing to say.
 */
export function formatToolList(
  tools: readonly Tool[],
  { style, countTokens, budget = 4_000, lineLength = 120 }: ListingOptions,
): string {
  if (style === 'none' || tools.length === 0) return ''
  const groups = groupBySource(tools).map(([source, members]): Group => {
    const names = members.map(({ name }) => ({ name, line: `- ${oneLine(name)}` }))
    const full = members.map((tool) => ({
      name: tool.name,
      line: lineOf(tool, style, lineLength),
    }))
    // a count has no name to be sorted by: counts come last
    const count = [{ name: '\uffff', line: `- ${countOf(members)} from ${oneLine(source)}` }]
    return { forms: cheaperAndCheaper([full, names, count], countTokens), level: 0 }
  })
  if (shrinkToFit(groups, budget) > budget && groups.length > 1) {
    return `- ${countOf(tools)} from ${groups.length} sources`
  }
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
  /** The same tools in ever fewer words. */
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

function lineOf(tool: Tool, style: ListingStyle, length: number): string {
  const text = { none: '', names: '', hints: tool.searchHint ?? '', lines: tool.description }[style]
  const line = cutText(text, length)
  return line === '' ? `- ${oneLine(tool.name)}` : `- ${oneLine(tool.name)}: ${line}`
}

/** A name may hold anything, also what looks like the next paragraph of the prompt. */
function oneLine(name: string): string {
  return cutText(name, 128)
}

function countOf(tools: readonly Tool[]): string {
  return `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`
}

function cheaperAndCheaper(
  forms: readonly (readonly Entry[])[],
  countTokens: CountTokens,
): Group['forms'] {
  const kept: { entries: readonly Entry[]; tokens: number }[] = []
  for (const entries of forms) {
    const tokens = countTokens(entries.map(({ line }) => `${line}\n`).join(''))
    if (kept.length === 0 || tokens < kept.at(-1)!.tokens) kept.push({ entries, tokens })
  }
  return kept
}

/** Takes words from the costliest group until all fit; first the lines of all, then their names. */
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
