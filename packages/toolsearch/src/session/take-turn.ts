import { dependsOnUsage, isActive } from '../policy/activation.ts'
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
import type { Preset } from './preset.ts'
import type { TurnOptions } from './session.ts'
import type { ToolDivision } from './tool-division.ts'
import { type PlanTurnOptions, planTurn, type Turn } from './turn.ts'

export interface TakeTurnOptions extends Pick<PlanTurnOptions, 'announcer' | 'stubLists'> {
  readonly preset: Preset
  readonly division: ToolDivision
  readonly options: TurnOptions
  /** What a search with the words of the user has found. */
  readonly found: SearchOutcome | undefined
  /** Whether servers are connecting, so that more tools may be added. */
  readonly expectsMoreTools: boolean
  readonly contextWindow: number
  readonly countTokens: CountTokens
}

/** One turn of a conversation: the request, the tools that `expect` adds, and what to remember. */
export function takeTurn(
  before: SessionRecord,
  { preset, division, options, found, expectsMoreTools, ...shared }: TakeTurnOptions,
): { record: SessionRecord; result: { turn: Turn; expected: ExpectedTools | undefined } } {
  const { usedTokens = 0, canSearch = true, toolChoice, appendOnly } = options
  if (!canSearch) return sendAll(before, division)
  const { announcement, activation } = preset
  // stubs can be taken back at any time; only a stable prefix needs them to stay
  const staysActive = announcement.stubs === undefined || appendOnly !== undefined
  const active =
    (before.active && staysActive) ||
    isActive(activation, {
      deferrableTools: division.deferrable.length,
      allTools: division.visible.length,
      definitionTokens: division.definitionTokens,
      usedTokens,
      contextWindow: shared.contextWindow,
    })
  const expected =
    found && mayExpect(before, appendOnly)
      ? chooseExpected(found, {
          division,
          record: { ...before, active },
          appendOnly,
          countTokens: shared.countTokens,
        })
      : undefined
  const known = expected ? addExpected(before, expected, preset.loading) : before
  const { turn, record } = planTurn({
    division,
    record: known,
    active,
    expected,
    mayHideLater: dependsOnUsage(activation),
    appendOnly: appendOnly && {
      ...appendOnly,
      revealed: toolsInMessages(appendOnly, known, expected, toolChoice),
      expectsMoreTools,
    },
    forced: toolChoice,
    searchTool: preset.searchTool,
    stubs: announcement.stubs,
    stubLists: shared.stubLists,
    alwaysOffersSearch: preset.alwaysOffersSearch === true,
    announcer: shared.announcer,
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
