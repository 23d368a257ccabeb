import { announceChanges } from '../announcement/announce-changes.ts'
import { formatToolList, type ListingOptions } from '../announcement/format-tool-list.ts'
import { stubSchema } from '../announcement/stub-schema.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { SessionAddition, SessionRecord } from '../stores/session-record.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import type { SearchTool } from '../tool-search/search-behaviour.ts'
import type { Announcement } from './preset.ts'
import { isHidden, type ToolDivision } from './tool-division.ts'

/** What a request contains. */
export interface Turn {
  /**
   * In the order to send them; newly loaded tools are last. These are the final texts: send them
   * unchanged. A tool without a stub is the same object in every turn until its definition changes.
   */
  readonly tools: readonly ToolText[]
  /** A block for the system prompt. Identical in every turn, unless the preset uses a live list. */
  readonly system?: string
  /**
   * A message about tools added or removed since the last turn. Append it to the conversation; the
   * next turn does not repeat it.
   */
  readonly notice?: string
  /** Number of hidden tools. */
  readonly hidden: number
  /** The first of `tools`, if the model can search. */
  readonly searchTool?: ToolText
  /** Tools whose full definition is not part of `tools`, in catalogue order. */
  readonly deferred: readonly Tool[]
  /** Tools that are left out because they have the same name as the search tool. */
  readonly nameConflicts: readonly string[]
}

/** Settings for requests whose prefix must not change. */
export interface AppendOnly {
  /**
   * Loaded tools whose definition is part of the messages. They are not listed again.
   * @default none
   */
  readonly revealed?: ReadonlySet<string>
  /**
   * Whether hidden and revealed tools are absent from the list, or listed with a stub schema.
   * @default the preset's setting
   */
  readonly hiddenAs?: 'absent' | 'stubs'
  /** Offer the search tool even if nothing is hidden yet, because more tools may be added. */
  readonly expectsMoreTools?: boolean
}

export interface PlanTurnOptions {
  readonly division: ToolDivision
  readonly record: SessionRecord
  readonly active: boolean
  /** Whether tools that are listed in full now may be hidden later, as the conversation grows. */
  readonly mayHideLater: boolean
  readonly appendOnly?: AppendOnly | undefined
  /** A tool that is sent even if it is not loaded. */
  readonly forced?: string | undefined
  readonly searchTool: SearchTool
  readonly announcement: Announcement
  readonly countTokens: CountTokens
}

/** Plans a turn. `addition` is what the session must remember about it. */
export function planTurn(options: PlanTurnOptions): { turn: Turn; addition: SessionAddition } {
  const { division, record, active, searchTool, appendOnly } = options
  const { visible, nameConflicts } = division
  const { hidden, revealed } = findUnlisted(options)
  const offersSearch =
    hidden.size > 0 ||
    (active && options.announcement.keepSearchTool === true) ||
    (appendOnly !== undefined &&
      (record.active ||
        (active && division.deferrable.length > 0) ||
        revealed.size > 0 ||
        appendOnly.expectsMoreTools === true))
  const deferred = visible.filter((tool) => hidden.has(tool) || revealed.has(tool))
  const stubs = stubsOf(options)
  const { tools, sent } = orderTools(
    options,
    stubs ? visible : without(visible, deferred),
    offersSearch,
  )
  const unlisted = new Set(deferred)
  const texts = tools.map((tool) =>
    stubs && unlisted.has(tool)
      ? { ...toolText(tool), inputSchema: stubSchema(stubs.note?.(tool, searchTool.name)) }
      : toolText(tool),
  )
  if (!offersSearch) {
    return { turn: { tools: texts, deferred, hidden: 0, nameConflicts }, addition: { sent } }
  }
  const { system, notice, addition } = announce([...hidden], options)
  const searchText = toolText(searchTool)
  return {
    turn: {
      tools: [searchText, ...texts],
      searchTool: searchText,
      deferred,
      ...(system !== '' && { system }),
      ...(notice !== '' && { notice }),
      hidden: hidden.size,
      nameConflicts,
    },
    addition: { sent, ...addition },
  }
}

/** The tools that are not listed in full: hidden ones, and those that the messages reveal. */
function findUnlisted({ division, record, active, forced, appendOnly }: PlanTurnOptions): {
  hidden: Set<Tool>
  revealed: Set<Tool>
} {
  const listed = new Set(appendOnly ? record.sent : [])
  const hidden = new Set<Tool>()
  const revealed = new Set<Tool>()
  for (const tool of division.visible) {
    if (listed.has(tool.name)) continue
    if (appendOnly?.revealed?.has(tool.name) && division.deferral(tool) !== 'eager') {
      revealed.add(tool)
    } else if (tool.name !== forced && isHidden(tool, division, record, active)) hidden.add(tool)
  }
  return { hidden, revealed }
}

function stubsOf({ announcement, appendOnly }: PlanTurnOptions): Announcement['stubs'] {
  if (appendOnly?.hiddenAs === undefined) return announcement.stubs
  return appendOnly.hiddenAs === 'stubs' ? (announcement.stubs ?? {}) : undefined
}

function without(tools: readonly Tool[], excluded: readonly Tool[]): readonly Tool[] {
  const exclude = new Set(excluded)
  return tools.filter((tool) => !exclude.has(tool))
}

function orderTools(
  options: PlanTurnOptions,
  tools: readonly Tool[],
  offersSearch: boolean,
): { tools: readonly Tool[]; sent: string[] } {
  const { division, record, appendOnly, mayHideLater } = options
  if (stubsOf(options) && offersSearch) return { tools, sent: [] }
  if (offersSearch) return inSentOrder(tools, record)
  if (record.sent.length === 0 && !appendOnly) return { tools, sent: [] }
  const ordered = inSentOrder(tools, record)
  if (!appendOnly || !mayHideLater) return ordered
  // tools that may be hidden later come last, so that hiding them does not move the others
  const stays = new Set(without(tools, division.deferrable).map((tool) => tool.name))
  const isFirst = (tool: Tool) => stays.has(tool.name)
  return {
    // in catalogue order, so that loading one of them moves nothing
    tools: [...ordered.tools.filter(isFirst), ...tools.filter((tool) => !isFirst(tool))],
    sent: ordered.sent.filter((name) => stays.has(name)),
  }
}

/** Tools of earlier requests keep their place. New ones come last, loaded ones in loading order. */
function inSentOrder(
  tools: readonly Tool[],
  record: SessionRecord,
): { tools: Tool[]; sent: string[] } {
  const loadedAt = new Map(record.loaded.map((tool, index) => [tool.name, index]))
  const sentAt = new Map(record.sent.map((name, index) => [name, index]))
  const before = tools
    .filter((tool) => sentAt.has(tool.name))
    .sort((a, b) => sentAt.get(a.name)! - sentAt.get(b.name)!)
  const after = tools
    .filter((tool) => !sentAt.has(tool.name))
    .sort((a, b) => (loadedAt.get(a.name) ?? -1) - (loadedAt.get(b.name) ?? -1))
  return { tools: [...before, ...after], sent: after.map((tool) => tool.name) }
}

function announce(
  hidden: readonly Tool[],
  { record, division, appendOnly, announcement, searchTool, countTokens }: PlanTurnOptions,
): { system: string; notice: string; addition: SessionAddition } {
  const { style, placement, budget, lineLength, text } = announcement
  const listing: ListingOptions = {
    style,
    countTokens,
    ...(budget !== undefined && { budget }),
    ...(lineLength !== undefined && { lineLength }),
  }
  // an updated list would change the prefix
  const isLive = placement === 'live' && appendOnly === undefined
  if (isLive || style === 'none') {
    const system = text(formatToolList(hidden, listing), searchTool.name)
    return { system, notice: '', addition: {} }
  }
  // a caller whose access was reduced must not receive the old list again
  const concealed = record.announced.filter((name) => division.isConcealed(name))
  if (record.announcement === undefined || concealed.length > 0) {
    const known = new Set(record.announced)
    // a tool that was loaded since stays on the list
    const listed = division.visible.filter((tool) => hidden.includes(tool) || known.has(tool.name))
    const system = text(formatToolList(listed, listing), searchTool.name)
    const announced = listed.map((tool) => tool.name)
    const addition = { announcement: system, announced, withdrawn: concealed }
    return { system, notice: '', addition }
  }
  const announced = new Set(record.announced)
  const present = new Set(division.visible.map((tool) => tool.name))
  const added = hidden.filter((tool) => !announced.has(tool.name))
  const withdrawn = record.announced.filter((name) => !present.has(name))
  return {
    system: record.announcement,
    notice: announceChanges(added, withdrawn, listing),
    addition: { announced: added.map((tool) => tool.name), withdrawn },
  }
}
