import { universalModes } from '../modes.ts'
import type { Mode } from '../provider.ts'

/** The ways to defer tools with the Messages API. */
export type AnthropicMode =
  | 'native'
  | 'reference'
  | 'inline-addition'
  | 'append'
  | 'bridge'
  | 'stub'

export const anthropicModes: Readonly<Record<AnthropicMode, Mode>> = {
  native: {
    search: 'provider',
    reveal: 'reference',
    requires: ['tool_search_tool', 'defer_loading', 'server_tool_use', 'tool_reference'],
    fallback: 'reference',
  },
  reference: {
    search: 'own',
    reveal: 'reference',
    requires: ['tool_reference', 'defer_loading'],
    fallback: 'bridge',
  },
  'inline-addition': {
    search: 'own',
    reveal: 'definition',
    requires: [
      'tool_addition',
      'tool_removal',
      'tool-changes',
      'anthropic-beta',
      "role 'system'",
      'role "system"',
      'tool_definition',
      'inline-tools',
    ],
    fallback: 'reference',
  },
  ...universalModes,
}

/** Anthropic's own search tool. Its other variant takes regular expressions. */
export const NATIVE_SEARCH = {
  type: 'tool_search_tool_bm25_20251119',
  name: 'tool_search_tool_bm25',
} as const

/** The beta features that adding tools with messages requires. */
export const ADDITION_BETAS: readonly string[] = [
  'mid-conversation-tool-changes-2026-07-01',
  'inline-tools-2026-09-15',
]

/** The beta that a request with a signed summary requires. */
export const COMPACTION_BETA = 'compact-2026-09-04'

/** Claude models that accept thinking after a change of the messages before it. */
const WITHOUT_BINDING =
  /claude-(?:instant|[23]|(?:opus|sonnet|haiku)-4|(?:opus|sonnet|haiku|fable|mythos)-5(?!-\d\b))/

/**
 * What to do with thinking blocks after a message that had to be rewritten. Newer Claude models
 * reject them. Older ones accept them, and reject an open call without its thinking, so for an
 * unknown model the thinking of open calls stays.
 */
export type StaleThinking = 'drop' | 'keep-open-calls' | 'keep'

export function staleThinking(model: string | undefined): StaleThinking {
  if (model === undefined) return 'keep-open-calls'
  return /claude/.test(model) && !WITHOUT_BINDING.test(model) ? 'drop' : 'keep'
}

/** Claude models before 4.5 support neither deferred tools nor references. */
const WITHOUT_DEFERRAL =
  /claude-(?:instant|2|3|(?:opus|sonnet|haiku)-4(?:-[01])?(?:$|@|-\d{6,}|-v\d))/
const WITHOUT_TOOL_CHANGES = /claude-(?:sonnet-5(?!-\d\b)|(?:opus|sonnet|haiku)-4(?!-8))/

export function defaultMode(model: string | undefined): AnthropicMode {
  if (model === undefined) return 'reference'
  return /claude/.test(model) && !WITHOUT_DEFERRAL.test(model) ? 'reference' : 'bridge'
}

export function unsupportedReason(mode: string, model: string | undefined): string | undefined {
  if (model === undefined || anthropicModes[mode as AnthropicMode].requires.length === 0) {
    return undefined
  }
  if (WITHOUT_DEFERRAL.test(model)) return `${model} does not support deferred tools`
  const { reveal } = anthropicModes[mode as AnthropicMode]
  if (reveal === 'definition' && WITHOUT_TOOL_CHANGES.test(model)) {
    return `${model} does not support tool_addition and tool_removal`
  }
  return undefined
}
