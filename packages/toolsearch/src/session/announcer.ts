import { announceChanges } from '../announcement/announce-changes.ts'
import {
  type AnnouncedList,
  announcedList,
  createAnnouncedLists,
} from '../announcement/announced-lists.ts'
import { formatToolList, type ListingOptions } from '../announcement/format-tool-list.ts'
import type { Tool } from '../catalogue/tool.ts'
import type { SessionRecord } from '../stores/session-record.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import type { Announcement } from './preset.ts'
import { readRecorded, recordList } from './recorded-list.ts'
import type { ToolDivision } from './tool-division.ts'

/** Writes the announcements of all sessions, and remembers what earlier ones said. */
export interface Announcer {
  announce(request: AnnounceRequest): {
    readonly system: string
    readonly notice: string
    /** Tools that no longer exist but are named in the two texts. */
    readonly removed?: readonly string[]
    /** What the session must remember. */
    readonly remember: Pick<SessionRecord, 'announcement' | 'announced' | 'announcedList'>
  }
}

interface AnnounceRequest {
  readonly division: ToolDivision
  readonly record: SessionRecord
  readonly active: boolean
  /** An updated list would change the prefix of the request. */
  readonly appendOnly: boolean
  /** The request cannot carry a notice, so a later announcement must have it. */
  readonly delaysNotice: boolean
  /** The request lists all tools that the first one had, so only changes are announced. */
  readonly listsStubs: boolean
  /** The tools of a list that is always up to date. */
  readonly hidden: () => readonly Tool[]
}

export interface AnnouncerOptions {
  readonly announcement: Announcement
  readonly searchToolName: string
  readonly countTokens: CountTokens
}

/** What is known about the announcements of one division. */
interface DivisionLists {
  /** All deferrable tools. */
  active?: AnnouncedList
  /** The tools that are hidden before deferral starts. */
  inactive?: AnnouncedList
  /** Whether the caller may know every name of an earlier list. */
  readonly isAllowed: WeakMap<AnnouncedList, boolean>
  /** The tools of an earlier list that no longer exist. */
  readonly removed: WeakMap<AnnouncedList, readonly string[]>
}

/**
 * A fixed announcement lists every deferrable tool, loaded or not. It depends only on the division,
 * so all sessions with the same access share it, and a session stores just its digest.
 */
export function createAnnouncer({
  announcement: { style, placement, budget, text },
  searchToolName,
  countTokens,
}: AnnouncerOptions): Announcer {
  const listing: ListingOptions = {
    style,
    countTokens,
    ...(budget !== undefined && { budget }),
  }
  const earlier = createAnnouncedLists()
  const known = new WeakMap<ToolDivision, DivisionLists>()

  return {
    announce({ division, record, active, appendOnly, delaysNotice, listsStubs, hidden }) {
      const hasChanges = style !== 'none' || listsStubs
      if (!hasChanges || (placement === 'live' && !appendOnly)) {
        return { system: write(style === 'none' ? [] : hidden()), notice: '', remember: {} }
      }
      const now = currentList(division, active)
      const knownFirst = findList(record.announcement, now, 'textDigest')
      const knownLast = findList(record.announced, now, 'namesDigest')
      const recorded = knownFirst && knownLast ? undefined : readRecorded(record)
      const first = knownFirst ?? recorded?.first
      const last = knownLast ?? recorded?.last
      // Start over if another process announced a list that is too long for the record, and for a
      // caller whose access was reduced: it must not receive the old list again.
      if (!first || !last || !isAllowed(first, division) || !isAllowed(last, division)) {
        return { system: now.text, notice: '', remember: toRemember(now, now) }
      }
      const removed = [first, last].flatMap((list) =>
        list === now ? [] : removedFrom(list, division),
      )
      if (delaysNotice) {
        return { system: first.text, notice: '', removed, remember: toRemember(first, last) }
      }
      return {
        system: first.text,
        removed,
        notice: last === now ? '' : describeChanges(last, division, active),
        remember: toRemember(first, now),
      }
    },
  }

  function toRemember(first: AnnouncedList, last: AnnouncedList) {
    const announcedList = recordList(first, last)
    return {
      announcement: first.textDigest,
      announced: last.namesDigest,
      ...(announcedList && { announcedList }),
    }
  }

  function write(tools: readonly Tool[]): string {
    return text(formatToolList(tools, listing), searchToolName)
  }

  function currentList(division: ToolDivision, active: boolean): AnnouncedList {
    const lists = listsOf(division)
    const key = active ? 'active' : 'inactive'
    lists[key] ??= createList(announcedTools(division, active))
    return lists[key]
  }

  function createList(tools: readonly Tool[]): AnnouncedList {
    const system = write(tools)
    const list = announcedList(
      system,
      tools.map((tool) => tool.name),
    )
    earlier.remember(list)
    return list
  }

  function findList(
    digest: string | undefined,
    now: AnnouncedList,
    key: 'textDigest' | 'namesDigest',
  ): AnnouncedList | undefined {
    if (digest === undefined) return undefined
    if (digest === now[key]) return now
    return key === 'textDigest' ? earlier.withText(digest) : earlier.withNames(digest)
  }

  function isAllowed(list: AnnouncedList, division: ToolDivision): boolean {
    const { isAllowed } = listsOf(division)
    let allowed = isAllowed.get(list)
    if (allowed === undefined) {
      allowed = !list.names.some((name) => division.isConcealed(name))
      isAllowed.set(list, allowed)
    }
    return allowed
  }

  function removedFrom(list: AnnouncedList, division: ToolDivision): readonly string[] {
    const { removed } = listsOf(division)
    let names = removed.get(list)
    if (names === undefined) {
      names = list.names.filter((name) => !(division.get(name) ?? division.skill(name)))
      removed.set(list, names)
    }
    return names
  }

  function describeChanges(last: AnnouncedList, division: ToolDivision, active: boolean): string {
    const announced = new Set(last.names)
    const added = announcedTools(division, active).filter((tool) => !announced.has(tool.name))
    const removed = removedFrom(last, division)
    const changes = style === 'none' ? ({ ...listing, style: 'names' } as const) : listing
    return announceChanges(added, removed, changes)
  }

  function listsOf(division: ToolDivision): DivisionLists {
    let lists = known.get(division)
    if (lists === undefined) {
      lists = { isAllowed: new WeakMap(), removed: new WeakMap() }
      known.set(division, lists)
    }
    return lists
  }
}

function announcedTools(division: ToolDivision, active: boolean): readonly Tool[] {
  const tools = active ? division.deferrable : division.alwaysDeferred
  return division.skills.length === 0 ? tools : [...tools, ...division.skills]
}
