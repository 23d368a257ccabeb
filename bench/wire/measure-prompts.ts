import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** What the prompts of a conversation cost. */
export interface PromptCost {
  readonly requests: number
  /** Tokens before the first message: tools, system prompt, tool listing. */
  readonly standingTokens: number
  /** Total of all requests. */
  readonly inputTokens: number
  /** The same, with the prefix shared with the previous request at a tenth of the price. */
  readonly cachedTokens: number
  /** Running total of `cachedTokens`. */
  readonly cachedByTurn: readonly number[]
  /** How many requests changed the prefix. */
  readonly breaks: number
}

const CACHED_PRICE = 0.1
const tokenCounts = new Map<string, number>()

export function measurePrompts(prompts: readonly (readonly string[])[]): PromptCost {
  let before: readonly string[] = []
  let inputTokens = 0
  let cachedTokens = 0
  let breaks = 0
  const cachedByTurn: number[] = []
  for (const prompt of prompts) {
    const change = prompt.findIndex((piece, at) => piece !== before[at])
    const prefix = change < 0 ? prompt.length : change
    if (prefix < before.length) breaks++
    inputTokens += sum(prompt)
    cachedTokens += CACHED_PRICE * sum(prompt.slice(0, prefix)) + sum(prompt.slice(prefix))
    cachedByTurn.push(cachedTokens)
    before = prompt
  }
  const first = prompts[0] ?? []
  return {
    requests: prompts.length,
    // The first request ends with its only message.
    standingTokens: sum(first.slice(0, -1)),
    inputTokens,
    cachedTokens,
    cachedByTurn,
    breaks,
  }
}

function sum(pieces: readonly string[]): number {
  return pieces.reduce((total, piece) => total + tokensOf(piece), 0)
}

/** Counts tokens with a cache, because a prompt mostly repeats the previous one. */
function tokensOf(piece: string): number {
  let tokens = tokenCounts.get(piece)
  if (tokens === undefined) {
    tokens = countTokens(piece)
    tokenCounts.set(piece, tokens)
  }
  return tokens
}
