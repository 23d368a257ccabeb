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
   * without lines, then only how many tools it has.
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
export function listTools(
  tools: readonly Tool[],
  { style, countTokens, budget = 4_000, lineLength = 120 }: ListingOptions,
): string {
  if (style === 'none' || tools.length === 0) return ''
  const groups = groupBySource(tools).map(([source, members]) => {
    const names = members.map((tool) => `- ${tool.name}`)
    const full = style === 'names' ? names : members.map((tool) => lineOf(tool, style, lineLength))
    const count = `- ${members.length} ${members.length === 1 ? 'tool' : 'tools'} from ${source}`
    const forms = [full, names, [count]].map((lines) => {
      const text = lines.join('\n')
      return { lines, tokens: countTokens(text) }
    })
    return { forms, level: style === 'names' ? 1 : 0 }
  })
  shrinkToFit(groups, budget)
  const lines = groups
    .filter(({ level }) => level < 2)
    .flatMap(({ forms, level }) => forms[level]!.lines)
  const counts = groups.filter(({ level }) => level === 2).flatMap(({ forms }) => forms[2]!.lines)
  return [...lines.sort(compareNames), ...counts].join('\n')
}

function groupBySource(tools: readonly Tool[]): [string, Tool[]][] {
  const groups = new Map<string, Tool[]>()
  for (const tool of tools) {
    const group = groups.get(tool.source)
    if (group) group.push(tool)
    else groups.set(tool.source, [tool])
  }
  for (const group of groups.values()) group.sort((a, b) => compareNames(a.name, b.name))
  return [...groups].sort(([a], [b]) => compareNames(a, b))
}

function lineOf(tool: Tool, style: 'hints' | 'lines', length: number): string {
  const text = style === 'hints' ? (tool.searchHint ?? '') : tool.description
  const line = cutText(text, length)
  return line === '' ? `- ${tool.name}` : `- ${tool.name}: ${line}`
}

interface Group {
  readonly forms: readonly { readonly tokens: number }[]
  level: number
}

function shrinkToFit(groups: readonly Group[], budget: number): void {
  const cost = (group: Group) => group.forms[group.level]!.tokens
  let total = groups.reduce((sum, group) => sum + cost(group), 0)
  for (const lowest of [1, 2]) {
    const byCost = groups.filter(({ level }) => level < lowest).sort((a, b) => cost(b) - cost(a))
    for (const group of byCost) {
      if (total <= budget) return
      total -= cost(group)
      group.level = lowest
      total += cost(group)
    }
  }
}
