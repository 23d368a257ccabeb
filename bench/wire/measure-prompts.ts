import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'

/** What a conversation's prompts cost. */
export interface PromptCost {
  readonly requests: number
  /** Tokens of the prompt up to the first message: tools, system prompt, announcement. */
  readonly standingTokens: number
  /** Of all requests together. */
  readonly inputTokens: number
  /** The same, with what the request before began with at a tenth. */
  readonly cachedTokens: number
  /** The running sum of the latter. */
  readonly cachedByTurn: readonly number[]
  /** In how many requests the beginning had changed. */
  readonly breaks: number
}

const CACHED_PRICE = 0.1
const known = new Map<string, number>()

export function measurePrompts(prompts: readonly (readonly string[])[]): PromptCost {
  let before: readonly string[] = []
  let inputTokens = 0
  let cachedTokens = 0
  let breaks = 0
  const cachedByTurn: number[] = []
  for (const prompt of prompts) {
    const same = prompt.findIndex((piece, at) => piece !== before[at])
    const kept = same < 0 ? prompt.length : same
    if (kept < before.length) breaks++
    inputTokens += sum(prompt)
    cachedTokens += CACHED_PRICE * sum(prompt.slice(0, kept)) + sum(prompt.slice(kept))
    cachedByTurn.push(cachedTokens)
    before = prompt
  }
  const first = prompts[0] ?? []
  return {
    requests: prompts.length,
    // the first request has one message, which comes last
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

/** Most of a prompt was in the one before it. */
function tokensOf(piece: string): number {
  let tokens = known.get(piece)
  if (tokens === undefined) {
    tokens = countTokens(piece)
    known.set(piece, tokens)
  }
  return tokens
}
