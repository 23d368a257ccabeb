import { isActive } from '../policy/activation.ts'
import type { SessionRecord } from '../stores/session-record.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { toolText } from '../tokens/tool-tokens.ts'
import type { SearchOutcome } from '../tool-search/search-outcome.ts'
import {
  addExpected,
  chooseExpected,
  type ExpectedTools,
  mayExpect,
  toolsInMessages,
} from './expect.ts'
import type { TurnOptions } from './session.ts'
import type { ToolDivision } from './tool-division.ts'
import { type PlanTurnOptions, planTurn, type Turn } from './turn.ts'

export interface TakeTurnOptions
  extends Pick<
    PlanTurnOptions,
    'preset' | 'division' | 'announcer' | 'stubLists' | 'isConnecting'
  > {
  readonly options: TurnOptions
  /** What a search with the words of the user has found. */
  readonly found: SearchOutcome | undefined
  readonly contextWindow: number
  readonly countTokens: CountTokens
}

/** One turn of a conversation: the request, the tools that `expect` adds, and what to remember. */
export function takeTurn(
  before: SessionRecord,
  { options, found, contextWindow, countTokens, ...shared }: TakeTurnOptions,
): { record: SessionRecord; result: { turn: Turn; expected: ExpectedTools | undefined } } {
  const { preset, division } = shared
  const { usedTokens = 0, canSearch = true, toolChoice, appendOnly } = options
  if (!canSearch) return sendAll(before, division)
  // stubs can be taken back at any time; only a stable prefix needs them to stay
  const staysActive = preset.announcement.stubs === undefined || appendOnly !== undefined
  const active =
    (before.active && staysActive) ||
    isActive(preset.activation, {
      deferrableTools: division.deferrable.length,
      allTools: division.visible.length,
      definitionTokens: division.definitionTokens,
      usedTokens,
      contextWindow,
    })
  const limited = { division, record: { ...before, active }, appendOnly, countTokens }
  const expected =
    found && mayExpect(before, appendOnly) ? chooseExpected(found, limited) : undefined
  const known = expected ? addExpected(before, expected, preset.loading) : before
  const { turn, record } = planTurn({
    ...shared,
    record: known,
    active,
    expected,
    appendOnly: appendOnly && {
      ...appendOnly,
      revealed: toolsInMessages(appendOnly, known, expected, toolChoice),
    },
    forced: toolChoice,
  })
  return { record, result: { turn, expected } }
}

/** Without a search, the model could not reach a hidden tool. */
function sendAll(before: SessionRecord, { visible, deferrable, nameConflicts }: ToolDivision) {
  const hasSeenAll = deferrable.length > 0 && before.seen !== 'all'
  const turn = {
    tools: visible.map(toolText),
    isListExtended: false,
    deferred: [],
    hidden: 0,
    nameConflicts,
  }
  return {
    record: hasSeenAll ? { ...before, seen: 'all' as const } : before,
    result: { turn, expected: undefined },
  }
}
