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

/** What to send this turn. */
export interface Turn {
  /** In the order to send them. A tool that is loaded later is put last. */
  readonly tools: readonly ToolText[]
  /** A block for the system prompt; the same bytes in every turn unless the preset lists live. */
  readonly system?: string
  /** What came or went since the last turn, to be appended to the conversation. Told once. */
  readonly notice?: string
  /** How many tools are hidden. With none there is no search tool and no block either. */
  readonly hidden: number
  /** The first of `tools`, if the model can search. */
  readonly searchTool?: ToolText
  /** Tools that `tools` does not show in full, in catalogue order. */
  readonly deferred: readonly Tool[]
  /** Tools of the catalogue left out because the search tool has their name. */
  readonly nameConflicts: readonly string[]
}

/** How to plan for a request whose beginning must not change. */
export interface AppendOnly {
  /**
   * Loaded tools that the messages make known: they need not be listed.
   * @default none
   */
  readonly revealed?: ReadonlySet<string>
  /**
   * What is listed of hidden and revealed tools: nothing, or their names with an open schema.
   * @default what the preset says
   */
  readonly hiddenAs?: 'absent' | 'stubs'
  /** A reason to offer the search before there is something to find. */
  readonly expectsMore?: boolean
}

export interface PlanTurnOptions {
  readonly division: ToolDivision
  readonly record: SessionRecord
  readonly active: boolean
  /** Tools that were listed in full may be hidden later, because room may become scarce. */
  readonly mayTakeBack: boolean
  readonly appendOnly?: AppendOnly | undefined
  /** A tool that is sent whether or not it is loaded. */
  readonly forced?: string | undefined
  readonly searchTool: SearchTool
  readonly announcement: Announcement
  readonly countTokens: CountTokens
}

/** Composes a turn and says what the session has to remember of it. */
export function planTurn(options: PlanTurnOptions): { turn: Turn; addition: SessionAddition } {
  const { division, record, active, searchTool, appendOnly } = options
  const { visible, nameConflicts } = division
  const { hidden, revealed } = findUnlisted(options)
  const isOffered =
    hidden.size > 0 ||
    (appendOnly !== undefined &&
      (record.active ||
        (active && division.deferrable.length > 0) ||
        revealed.size > 0 ||
        appendOnly.expectsMore === true))
  const deferred = visible.filter((tool) => hidden.has(tool) || revealed.has(tool))
  const stubs = stubsOf(options)
  const { tools, sent } = order(options, stubs ? visible : without(visible, deferred), isOffered)
  const unlisted = new Set(deferred)
  const texts = tools.map((tool) =>
    stubs && unlisted.has(tool)
      ? { ...toolText(tool), inputSchema: stubSchema(stubs.note?.(tool, searchTool.name)) }
      : toolText(tool),
  )
  if (!isOffered) {
    return { turn: { tools: texts, deferred, hidden: 0, nameConflicts }, addition: { sent } }
  }
  const told = announce([...hidden], options)
  return {
    turn: {
      tools: [searchTool, ...texts],
      searchTool,
      deferred,
      ...(told.system !== '' && { system: told.system }),
      ...(told.news !== '' && { notice: told.news }),
      hidden: hidden.size,
      nameConflicts,
    },
    addition: { sent, ...told.addition },
  }
}

/** The tools that are not listed: the hidden ones, and those the messages make known. */
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

function without(tools: readonly Tool[], some: readonly Tool[]): readonly Tool[] {
  const left = new Set(some)
  return tools.filter((tool) => !left.has(tool))
}

function order(
  options: PlanTurnOptions,
  tools: readonly Tool[],
  isOffered: boolean,
): { tools: readonly Tool[]; sent: string[] } {
  const { division, record, appendOnly, mayTakeBack } = options
  if (stubsOf(options) && isOffered) return { tools, sent: [] }
  if (isOffered) return inSentOrder(tools, record)
  if (record.sent.length === 0 && !appendOnly) return { tools, sent: [] }
  const ordered = inSentOrder(tools, record)
  if (!appendOnly || !mayTakeBack) return ordered
  // what may be taken back comes last, or the others would move when it is
  const stays = new Set(without(tools, division.deferrable).map((tool) => tool.name))
  const isFirst = (tool: Tool) => stays.has(tool.name)
  return {
    // and in the order of the catalogue: a call that loads one moves nothing
    tools: [...ordered.tools.filter(isFirst), ...tools.filter((tool) => !isFirst(tool))],
    sent: ordered.sent.filter((name) => stays.has(name)),
  }
}

/** What earlier requests carried stays where it was; what is new comes last, loaded tools in order. */
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
): { system: string; news: string; addition: SessionAddition } {
  const { style, placement, budget, lineLength, text } = announcement
  const listing: ListingOptions = {
    style,
    countTokens,
    ...(budget !== undefined && { budget }),
    ...(lineLength !== undefined && { lineLength }),
  }
  // a list that is written anew would change the beginning
  const isLive = placement === 'live' && appendOnly === undefined
  if (isLive || style === 'none') {
    return {
      system: text(formatToolList(hidden, listing), searchTool.name),
      news: '',
      addition: {},
    }
  }
  // a caller that may see less than before must not be told the old list again
  const concealed = record.announced.filter((name) => division.isConcealed(name))
  if (record.announcement === undefined || concealed.length > 0) {
    const known = new Set(record.announced)
    // a loaded tool that was on the list stays on it
    const listed = division.visible.filter((tool) => hidden.includes(tool) || known.has(tool.name))
    const system = text(formatToolList(listed, listing), searchTool.name)
    const announced = listed.map((tool) => tool.name)
    return { system, news: '', addition: { announcement: system, announced, withdrawn: concealed } }
  }
  const announced = new Set(record.announced)
  const present = new Set(division.visible.map((tool) => tool.name))
  const arrived = hidden.filter((tool) => !announced.has(tool.name))
  const withdrawn = record.announced.filter((name) => !present.has(name))
  return {
    system: record.announcement,
    news: announceChanges(arrived, withdrawn, listing),
    addition: { announced: arrived.map((tool) => tool.name), withdrawn },
  }
}
