import { isEqual } from '../catalogue/is-equal.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { PlacedNotice, SessionRecord } from '../stores/session-record.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import type { Reveal } from '../transcript/reveal.ts'
import type { Announcer } from './announcer.ts'
import type { ExpectedTools } from './expect.ts'
import { findUnlisted, listTools } from './list-tools.ts'
import { placeNotices } from './place-notices.ts'
import type { Preset } from './preset.ts'
import type { StubLists } from './stub-lists.ts'
import type { ToolDivision } from './tool-division.ts'

/** What a request contains. */
export interface Turn {
  /**
   * In the order to send them; newly loaded tools are last. These are the final texts: send them
   * unchanged. A tool without a stub is the same object in every turn until its definition changes.
   */
  readonly tools: readonly ToolText[]
  /**
   * A block for the system prompt, if tools are hidden. Identical in every turn, unless the preset uses
   * a live list.
   */
  readonly system?: string
  /**
   * A message about tools added or removed since the last turn, and with some values of
   * `appendOnly.reveal` about those that `expect` loaded. Append it to the conversation; the next turn
   * does not repeat it.
   */
  readonly notice?: string
  /** The tools that `expect` loaded in this turn, best first. */
  readonly expected?: readonly ToolText[]
  /** Tools that `system` or `notice` name although they no longer exist. */
  readonly removedNames?: readonly string[]
  /** With `appendOnly.places`: all notices so far with their places, instead of `notice`. */
  readonly notices?: readonly PlacedNotice[]
  /**
   * Whether `tools` has definitions that the earlier turns of this conversation did not have. Also true
   * if the stubs of those turns are forgotten, so that the list starts anew.
   */
  readonly isListExtended: boolean
  /** Number of hidden tools. */
  readonly hidden: number
  /** The first of `tools`, if the model can search. */
  readonly searchTool?: ToolText
  /** Tools whose full definition is not part of `tools`, in catalogue order. Computed on first use. */
  readonly deferred: readonly Tool[]
  /** Tools that are left out because they have the same name as the search tool. */
  readonly nameConflicts: readonly string[]
}

/**
 * Settings for requests whose prefix must not change. In all requests, tools that were listed stay
 * listed in the same order, and so does the search tool once deferral has started. With these settings,
 * its system prompt block does not change either, and stubs never replace a definition that was already
 * sent.
 */
export interface AppendOnly {
  /**
   * Loaded tools whose definition is part of the messages. They are not listed again. `loaded`: all
   * tools that were loaded while they were hidden.
   * @default none
   */
  readonly revealed?: ReadonlySet<string> | 'loaded'
  /**
   * How the model gets found tools. With `stub`, tools added later are absent from the list, and the
   * model must be able to call them in another way. It also decides how the model gets the tools that
   * `expect` loads, without a change of the list:
   * - With `call-tool`, `stub` and `reference`, the notice has their parameters. If `revealed` is a set, it
   *   must have these tools in later turns, as long as the notice is in the messages.
   * - With `definition`, you append the definitions in `turn.expected` to the messages, and from then on
   *   pass them as `revealed`.
   * - Otherwise they are at the end of `turn.tools`, and only in the first turn.
   * @default `list`, with hidden tools as the preset lists them
   */
  readonly reveal?: Reveal
  /**
   * For callers that cannot append the notice to the history: a unique string for each message, in
   * order. The session then remembers which message a notice follows, and every turn returns all
   * `notices`, to be inserted again at the same places. A notice whose message is gone moves to the
   * end.
   */
  readonly places?: () => readonly string[]
  /**
   * The request cannot carry a notice, so a later turn has it.
   * @default false
   */
  readonly delaysNotice?: boolean
}

export interface PlanTurnOptions {
  readonly division: ToolDivision
  readonly record: SessionRecord
  readonly active: boolean
  readonly appendOnly?: AppendOnly | undefined
  /** Whether servers are connecting, so that more tools may be added: the search tool comes first. */
  readonly isConnecting?: boolean
  /** A tool that is listed even if it is not loaded. */
  readonly forced?: string | undefined
  readonly preset: Preset
  readonly stubLists: StubLists
  readonly announcer: Announcer
  /** The tools that this turn loads. The record has them already. */
  readonly expected?: Pick<ExpectedTools, 'tools' | 'notice'> | undefined
}

/** Plans a turn. `record` is what the session must remember: the given one if nothing changes. */
export function planTurn(options: PlanTurnOptions): { turn: Turn; record: SessionRecord } {
  const { division, record, active, preset, appendOnly, announcer, expected } = options
  const { nameConflicts } = division
  const unlisted = findUnlisted(options)
  const { revealed, hidden, deferred } = unlisted
  const offersSearch =
    hidden > 0 ||
    division.skills.length > 0 ||
    record.searchable === true ||
    (active && (record.active || preset.alwaysOffersSearch === true)) ||
    (appendOnly !== undefined &&
      ((active && division.deferrable.length > 0) ||
        revealed.size > 0 ||
        options.isConnecting === true))
  const { tools, isListExtended = false, ...listed } = listTools(options, unlisted, offersSearch)
  const {
    system,
    notice: changes,
    removed,
    remember,
  } = offersSearch
    ? announcer.announce({
        division,
        record,
        active,
        // a request that lists what searches find has a new prefix anyway
        appendOnly: appendOnly !== undefined && (appendOnly.reveal ?? 'list') !== 'list',
        delaysNotice: appendOnly?.delaysNotice === true,
        listsStubs: appendOnly?.reveal === 'stub',
        hidden: () => [
          ...deferred().filter((tool) => !revealed.has(tool.name)),
          ...division.skills,
        ],
      })
    : { system: '', notice: '', removed: [], remember: {} }
  const notice = [changes, expected?.notice].filter(Boolean).join('\n\n')
  // a new announcement contains every change that earlier notices announced
  const isRestarted = 'announcement' in remember && remember.announcement !== record.announcement
  const earlier = isRestarted ? undefined : record.notices
  const notices = appendOnly?.places && placeNotices(earlier, notice, appendOnly.places)
  const searchText = toolText(preset.searchTool)
  const turn: Turn = {
    tools: offersSearch ? [searchText, ...tools] : tools,
    ...(offersSearch && { searchTool: searchText }),
    ...(system !== '' && { system }),
    ...(notices ? { notices } : notice !== '' && { notice }),
    ...(expected && { expected: expected.tools.map(toolText) }),
    ...(removed && removed.length > 0 && { removedNames: removed }),
    isListExtended,
    hidden,
    nameConflicts,
    get deferred() {
      return deferred()
    },
  }
  const hasStarted = record.active || (active && hidden > 0)
  const isNoted = notices && notices.length + (record.notices?.length ?? 0) > 0
  const isSearchable = hidden > 0 && ({ searchable: true } as const)
  const remembered = {
    active: hasStarted,
    ...isSearchable,
    ...listed,
    ...remember,
    ...(isNoted && { notices }),
  }
  return { turn, record: withChanges(record, remembered) }
}

/** Returns the given record if nothing changes. */
function withChanges(record: SessionRecord, changes: Partial<SessionRecord>): SessionRecord {
  const seen = record.seen === 'all' ? 'all' : (changes.seen ?? record.seen)
  const next = { ...record, ...changes, ...(seen && { seen }) }
  const isChanged = Object.keys(next).some(
    (key) => !isEqual(next[key as keyof SessionRecord], record[key as keyof SessionRecord]),
  )
  return isChanged ? next : record
}
