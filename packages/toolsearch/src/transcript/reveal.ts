import { CALL_TOOL_NAME } from '../tool-search/call-tool.ts'
import type { SearchBlock } from './entry.ts'

/**
 * How the model gets the definition of a tool that a search found:
 * - `list`: at the end of the tool list
 * - `call-tool`: from the search result. The model calls the tool through `call_tool`.
 * - `stub`: from the search result. The list has a stub, so the model calls the tool by its name.
 * - `reference`: from a block that refers to a definition, which requests declare as deferred
 * - `definition`: from a block that contains it
 */
export type Reveal = 'list' | 'call-tool' | 'stub' | 'reference' | 'definition'

/** What a mode says about searches. */
export interface Revealing {
  /** Who runs the search that the model calls. */
  readonly search: SearchBlock
  /** How the model gets the definition of a found tool. */
  readonly reveal: Reveal
}

export interface RevealRules {
  /** How our search results describe found tools. Undefined if the request shows them elsewhere in full. */
  readonly detail: 'schemas' | 'names' | undefined
  /** How the model gets an expected tool, which it has not searched for. */
  readonly expectedAs: 'listed' | 'described' | 'defined'
  /** How the tool list has hidden tools. */
  readonly hidden: 'absent' | 'stubs'
  /** The tool through which the model calls what it found. */
  readonly callWith?: string
}

export const REVEALS: Readonly<Record<Reveal, RevealRules>> = {
  list: { detail: undefined, expectedAs: 'listed', hidden: 'absent' },
  'call-tool': {
    detail: 'schemas',
    expectedAs: 'described',
    hidden: 'absent',
    callWith: CALL_TOOL_NAME,
  },
  stub: { detail: 'schemas', expectedAs: 'described', hidden: 'stubs' },
  reference: { detail: 'names', expectedAs: 'described', hidden: 'absent' },
  definition: { detail: 'names', expectedAs: 'defined', hidden: 'absent' },
}

export function expectedAs({ reveal = 'list' }: { reveal?: Reveal }): RevealRules['expectedAs'] {
  return REVEALS[reveal].expectedAs
}
