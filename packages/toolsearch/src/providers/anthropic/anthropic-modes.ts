import type { Mode } from '../provider.ts'

/** How tools can be deferred with the Messages API. */
export type AnthropicMode =
  | 'native'
  | 'native-regex'
  | 'reference'
  | 'addition'
  | 'inline-addition'
  | 'append'
  | 'bridge'

const NATIVE_NEEDS = ['tool_search_tool', 'defer_loading', 'server_tool_use', 'tool_reference']
const ADDITION_NEEDS = [
  'tool_addition',
  'tool_removal',
  'tool-changes',
  'anthropic-beta',
  "role 'system'",
  'role "system"',
]

export const anthropicModes: Readonly<Record<AnthropicMode, Mode>> = {
  native: {
    search: 'theirs',
    reveal: 'messages',
    declares: true,
    needs: NATIVE_NEEDS,
    // some hosts take only this one of the two
    next: 'native-regex',
  },
  'native-regex': {
    search: 'theirs',
    reveal: 'messages',
    declares: true,
    needs: NATIVE_NEEDS,
    next: 'reference',
  },
  reference: {
    search: 'ours',
    reveal: 'messages',
    declares: true,
    needs: ['tool_reference', 'defer_loading'],
    next: 'bridge',
  },
  addition: {
    search: 'ours',
    reveal: 'messages',
    declares: true,
    needs: ADDITION_NEEDS,
    next: 'reference',
  },
  'inline-addition': {
    search: 'ours',
    reveal: 'messages',
    needs: [...ADDITION_NEEDS, 'tool_definition', 'inline-tools'],
    next: 'addition',
  },
  append: { search: 'ours', reveal: 'list', needs: [] },
  bridge: { search: 'ours', reveal: 'text', bridge: true, needs: [] },
}

export const OWN_SEARCH: Readonly<Record<string, { type: string; name: string } | undefined>> = {
  native: { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' },
  'native-regex': { type: 'tool_search_tool_regex_20251119', name: 'tool_search_tool_regex' },
}

/** The betas that a mode needs. */
export const MODE_BETAS: Readonly<Record<string, readonly string[] | undefined>> = {
  addition: ['mid-conversation-tool-changes-2026-07-01'],
  'inline-addition': ['mid-conversation-tool-changes-2026-07-01', 'inline-tools-2026-09-15'],
}

/** Whether a mode adds tools by messages of their own. */
export function isAddition(mode: string): boolean {
  return MODE_BETAS[mode] !== undefined
}

/** Claude before 4.5 knows neither deferred tools nor references. */
const TOO_OLD = /claude-(?:instant|2|3|(?:opus|sonnet|haiku)-4(?:-[01])?(?:$|@|-\d{6,}|-v\d))/
const REFUSES_CHANGES = /claude-(?:sonnet-5(?!-\d\b)|(?:opus|sonnet|haiku)-4(?!-8))/

export function defaultMode(model: string | undefined): AnthropicMode {
  if (model === undefined) return 'reference'
  return /claude/.test(model) && !TOO_OLD.test(model) ? 'reference' : 'bridge'
}

export function modeRefusal(mode: string, model: string | undefined): string | undefined {
  if (model === undefined || anthropicModes[mode as AnthropicMode].needs.length === 0)
    return undefined
  if (TOO_OLD.test(model)) return `${model} does not know deferred tools`
  if (isAddition(mode) && REFUSES_CHANGES.test(model)) {
    return `${model} refuses tool_addition and tool_removal`
  }
  return undefined
}
