import type { SearchHit, SearchOutcome } from './search-outcome.ts'

export interface SkillEntriesOptions {
  /** Tokens that the instructions of all skills may take together. */
  readonly budget: number
  readonly countTokens: (text: string) => number
}

/** A skill in a search result. */
export type SkillEntry = Readonly<Record<string, unknown>>

/** A model that did not ask for a skill gets its instructions only up to this many tokens. */
const UNASKED_TOKENS = 1_000

/**
 * Describes the skills among the hits. The instructions are part of the entry if the query names the
 * skill, or if they are short and the skill is the best hit.
 */
export function skillEntries(
  { form, hits, confidence }: SearchOutcome,
  { budget, countTokens }: SkillEntriesOptions,
): { readonly entries: readonly SkillEntry[]; readonly unread: readonly string[] } {
  let left = budget
  const unread: string[] = []
  const found = hits.filter(({ status }) => status === 'skill')
  const entries = found.map((hit) => {
    const { name, description, skill } = hit.tool
    const tools = toolsOf(hit, hits)
    const head = { name, description, ...(tools.length > 0 && { tools }) }
    const { instructions } = skill!
    const isNamed = form === 'select' || form === 'name' || hit.score === undefined
    const isSure = hit === hits[0] && confidence !== 'low'
    const allowance = isNamed ? left : isSure ? Math.min(left, UNASKED_TOKENS) : 0
    const tokens = instructions === '' ? 0 : countTokens(instructions)
    if (tokens > 0 && tokens <= allowance) {
      left -= tokens
      return { ...head, instructions }
    }
    if (tokens === 0 || !isNamed) {
      unread.push(name)
      return head
    }
    const part = cutToFit(instructions, left, countTokens)
    left = 0
    return {
      ...head,
      instructions: part,
      cut: `${part.length} of ${instructions.length} characters`,
    }
  })
  return { entries, unread }
}

/** The tools that came along with a skill, or that the search found anyway. */
function toolsOf({ tool }: SearchHit, hits: readonly SearchHit[]): string[] {
  const named = new Set(tool.skill!.tools)
  return hits.filter((hit) => named.has(hit.tool.name)).map((hit) => hit.tool.name)
}

/** The longest beginning that fits, up to a few percent. */
function cutToFit(text: string, budget: number, countTokens: (text: string) => number): string {
  let low = 0
  let high = text.length
  while (high - low > Math.max(16, high / 50)) {
    const middle = Math.floor((low + high) / 2)
    if (countTokens(text.slice(0, middle)) <= budget) low = middle
    else high = middle
  }
  return text.slice(0, low).replace(/[\ud800-\udbff]$/, '')
}
