import type { AnthropicMode } from './anthropic-modes.ts'

/**
 * What is known of MiniMax's Anthropic-compatible endpoint: it has neither references to tools nor
 * deferred ones. Spread it into the options of `anthropic`.
 */
export const minimax: { readonly mode: AnthropicMode } = { mode: 'bridge' }
