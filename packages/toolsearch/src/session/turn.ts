import { isEqual } from '../catalogue/is-equal.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { PlacedNotice, SessionRecord } from '../stores/session-record.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import type { SearchTool } from '../tool-search/search-behaviour.ts'
import type { Announcer } from './announcer.ts'
import type { Announcement } from './preset.ts'
import { type StubList, stubListOf, stubText } from './stub-lists.ts'
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
   * A message about tools added or removed since the last turn. Append it to the conversation; the
   * next turn does not repeat it.
   */
  readonly notice?: string
  /** With `appendOnly.places`: all notices so far with their places, instead of `notice`. */
  readonly notices?: readonly PlacedNotice[]
  /** Whether `tools` has tools that the earlier turns of this conversation did not have. */
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
 * listed in the same order. With these settings, so do the search tool and its system prompt block,
 * and stubs never replace a definition that was already sent.
 */
export interface AppendOnly {
  /**
   * Loaded tools whose definition is part of the messages. They are not listed again. `loaded`: all
   * tools that were loaded while they were hidden.
   * @default none
   */
  readonly revealed?: ReadonlySet<string> | 'loaded'
  /**
   * Whether hidden and revealed tools are absent from the list, or listed with a stub schema. With
   * `stubs`, tools added later are absent too: the model must be able to call them in another way.
   * @default the preset's setting
   */
  readonly hiddenAs?: 'absent' | 'stubs'
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
  readonly stubs?: Announcement['stubs']
  /** Send the search tool even if nothing is hidden. */
  readonly keepsSearchTool: boolean
  readonly announcer: Announcer
}

/**
 * Before deferral starts, requests contain every tool. Recording more names than this would make
 * records as large as requests, so the record only says that the model has seen them all. When
 * deferral starts, they are hidden but can still be called.
 */
const MAX_RECORDED = 64

/** Plans a turn. `record` is what the session must remember: the given one if nothing changes. */
export function planTurn(options: PlanTurnOptions): { turn: Turn; record: SessionRecord } {
  const { division, record, active, searchTool, appendOnly, announcer } = options
  const { nameConflicts } = division
  const unlisted = findUnlisted(options)
  const { revealed, hidden, deferred } = unlisted
  const offersSearch =
    hidden > 0 ||
    (active && options.keepsSearchTool) ||
    (appendOnly !== undefined &&
      (record.active ||
        (active && division.deferrable.length > 0) ||
        revealed.size > 0 ||
        appendOnly.expectsMoreTools === true))
  const { tools, isListExtended = false, ...listed } = listTools(options, unlisted, offersSearch)
  const { system, notice, remember } = offersSearch
    ? announcer.announce({
        division,
        record,
        active,
        appendOnly: appendOnly !== undefined,
        delaysNotice: appendOnly?.delaysNotice === true,
        listsStubs: appendOnly?.hiddenAs === 'stubs',
        hidden: () => deferred().filter((tool) => !revealed.has(tool.name)),
      })
    : { system: '', notice: '', remember: {} }
  // a new announcement contains everything that earlier notices said
  const isRepeated = 'announcement' in remember && remember.announcement === record.announcement
  const earlier = isRepeated ? record.notices : undefined
  const notices = appendOnly?.places && placeNotices(earlier, notice, appendOnly.places)
  const searchText = toolText(searchTool)
  const turn: Turn = {
    tools: offersSearch ? [searchText, ...tools] : tools,
    ...(offersSearch && { searchTool: searchText }),
    ...(system !== '' && { system }),
    ...(notices ? { notices } : notice !== '' && { notice }),
    isListExtended,
    hidden,
    nameConflicts,
    get deferred() {
      return deferred()
    },
  }
  // It compares requests and is not part of one, so equal turns must stay equal.
  Object.defineProperty(turn, 'isListExtended', { enumerable: false })
  const hasStarted = record.active || (active && hidden > 0)
  const isNoted = notices && notices.length + (record.notices?.length ?? 0) > 0
  const changes = { active: hasStarted, ...listed, ...remember, ...(isNoted && { notices }) }
  return { turn, record: withChanges(record, changes) }
}

function placeNotices(
  before: readonly PlacedNotice[] = [],
  notice: string,
  places: NonNullable<AppendOnly['places']>,
): readonly PlacedNotice[] {
  if (before.length === 0 && notice === '') return []
  const known = places()
  const after = known.at(-1) ?? ''
  const present = new Set(known)
  const kept = before.map((one) => (present.has(one.after) ? one : { ...one, after }))
  return notice === '' ? kept : [...kept, { text: notice, after }]
}

/** The tools that are not listed in full: hidden ones, and those that the messages reveal. */
interface Unlisted {
  /** Number of hidden tools. */
  readonly hidden: number
  /** Names of loaded tools that the messages contain. */
  readonly revealed: ReadonlySet<string>
  has(tool: Tool): boolean
  /** In catalogue order. Computed on first use: there can be 100,000 of them. */
  deferred(): readonly Tool[]
}

function findUnlisted({ division, record, active, forced, appendOnly }: PlanTurnOptions): Unlisted {
  const canBeHidden = (tool: Tool) => {
    const deferral = division.deferral(tool)
    return active ? deferral !== 'eager' : deferral === 'deferred-on-request'
  }
  const sent = new Set(record.sent)
  const loaded = record.loaded.map((tool) => tool.name)
  const { revealed: given = [] } = appendOnly ?? {}
  // before deferral starts, the model calls and thereby loads tools that are listed
  const wasHidden = active && (record.active || record.seen === undefined)
  const isRevealed = (name: string) => {
    const tool = sent.has(name) ? undefined : division.get(name)
    const deferral = tool ? division.deferral(tool) : 'eager'
    return deferral !== 'eager' && (given !== 'loaded' || deferral !== 'deferred' || wasHidden)
  }
  const revealed = new Set([...(given === 'loaded' ? loaded : given)].filter(isRevealed))
  const notHidden = new Set([...sent, ...revealed, ...loaded])
  if (forced !== undefined) notHidden.add(forced)
  const all = active ? division.deferrable : division.onRequest
  const visible = [...notHidden].flatMap((name) => division.get(name) ?? [])
  const has = (tool: Tool) =>
    revealed.has(tool.name) || (canBeHidden(tool) && !notHidden.has(tool.name))
  let deferred: readonly Tool[] | undefined
  return {
    hidden: all.length - visible.filter(canBeHidden).length,
    revealed,
    has,
    deferred() {
      deferred ??= division.deferrable.filter(has)
      return deferred
    },
  }
}

/** The listed tools in order, and what the session must remember about them. */
function listTools(
  options: PlanTurnOptions,
  unlisted: Unlisted,
  offersSearch: boolean,
): { tools: readonly ToolText[]; isListExtended?: boolean } & Pick<
  SessionRecord,
  'sent' | 'seen' | 'stubs'
> {
  const { division, record, active, mayHideLater, searchTool, appendOnly } = options
  const hasSeenAutomatic = !active && division.deferrable.length > division.onRequest.length
  const stubs = stubsOf(options)
  if (stubs && (offersSearch || !appendOnly)) {
    const seen = hasSeenAutomatic && ({ seen: 'automatic' } as const)
    if (appendOnly?.hiddenAs === 'stubs') {
      const list = stubListOf(record.stubs, division, stubs, searchTool.name)
      const { tools, isExtended } = listStubs(list, division, unlisted)
      const isListExtended = record.stubs !== undefined && isExtended
      return { tools, isListExtended, sent: record.sent, stubs: list.digest, ...seen }
    }
    // every tool stays in its place, with or without its schema
    const tools = division.visible.map((tool) =>
      unlisted.has(tool) ? stubText(tool, stubs, searchTool.name) : toolText(tool),
    )
    return { tools, sent: record.sent, ...seen }
  }
  const before = record.sent.flatMap((name) => division.get(name) ?? [])
  const added = findAdded(options, unlisted)
  if (active || (!mayHideLater && record.sent.length + added.length <= MAX_RECORDED)) {
    // without deferrable tools, catalogue order is good enough until there are some
    const isNeeded = record.active || division.deferrable.length > 0
    return {
      tools: [...before, ...added].map(toolText),
      isListExtended: record.active && added.length > 0,
      sent: isNeeded ? [...record.sent, ...namesOf(added)] : record.sent,
    }
  }
  const eager = added.filter((tool) => division.deferral(tool) === 'eager')
  // tools that may be hidden later come last, so that hiding them does not move the others
  const first = new Set(mayHideLater ? [...before, ...eager] : [])
  // in catalogue order, so that loading one of them moves nothing
  const others = division.visible.filter((tool) => !first.has(tool) && !unlisted.has(tool))
  const sent = mayHideLater ? [...record.sent, ...namesOf(eager)] : []
  return {
    tools: [...first, ...others].map(toolText),
    sent: sent.length <= MAX_RECORDED ? sent : [],
    ...(hasSeenAutomatic && { seen: 'automatic' }),
  }
}

/**
 * The tools of the first request in the same order, also removed ones. Tools added since then are
 * listed only if the model must have their schema: it finds the others by searching.
 */
function listStubs(
  { entries }: StubList,
  division: ToolDivision,
  unlisted: Unlisted,
): { tools: readonly ToolText[]; isExtended: boolean } {
  const tools: ToolText[] = []
  let remaining = 0
  let isExtended = false
  for (const { stub, isEager } of entries.values()) {
    const tool = division.get(stub.name)
    if (tool !== undefined) {
      remaining += 1
      const isStub = unlisted.has(tool)
      if (!isStub && !isEager) isExtended = true
      tools.push(isStub ? stub : toolText(tool))
    } else if (!isEager && !division.isConcealed(stub.name)) tools.push(stub)
  }
  if (remaining === division.visible.length) return { tools, isExtended }
  const added = division.visible.filter((tool) => !entries.has(tool.name) && !unlisted.has(tool))
  return { tools: [...tools, ...added.map(toolText)], isExtended: isExtended || added.length > 0 }
}

/** The tools listed for the first time: eager ones in catalogue order, then in loading order. */
function findAdded(
  { division, record, active, forced }: PlanTurnOptions,
  unlisted: Unlisted,
): readonly Tool[] {
  const sent = new Set(record.sent)
  const loaded = new Set(record.loaded.map((tool) => tool.name))
  const always = active ? division.eager : division.visible
  const requested = [...loaded, ...(forced === undefined ? [] : [forced])]
  const tools = new Set([
    ...always.filter((tool) => !loaded.has(tool.name)),
    ...requested.flatMap((name) => division.get(name) ?? []),
  ])
  return [...tools].filter((tool) => !sent.has(tool.name) && !unlisted.has(tool))
}

const PLAIN_STUBS = {}

function stubsOf({ stubs, appendOnly }: PlanTurnOptions): Announcement['stubs'] {
  if (appendOnly?.hiddenAs === undefined) return stubs
  return appendOnly.hiddenAs === 'stubs' ? (stubs ?? PLAIN_STUBS) : undefined
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.map((tool) => tool.name)
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
