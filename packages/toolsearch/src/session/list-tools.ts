import type { Tool } from '../catalogue/tool.ts'
import { dependsOnUsage } from '../policy/activation.ts'
import type { SessionRecord } from '../stores/session-record.ts'
import { type ToolText, toolText } from '../tokens/tool-tokens.ts'
import { REVEALS } from '../transcript/reveal.ts'
import type { Announcement } from './preset.ts'
import { type StubList, stubText } from './stub-lists.ts'
import type { ToolDivision } from './tool-division.ts'
import type { PlanTurnOptions } from './turn.ts'

/**
 * Before deferral starts, requests contain every tool. Recording more names than this would make
 * records as large as requests, so the record only says that the model has seen them all. When
 * deferral starts, they are hidden but can still be called.
 */
const MAX_RECORDED = 64

/** The tools that are not listed in full: hidden ones, and those that the messages reveal. */
export interface Unlisted {
  /** Number of hidden tools. */
  readonly hidden: number
  /** Names of loaded tools that the messages contain. */
  readonly revealed: ReadonlySet<string>
  has(tool: Tool): boolean
  /** In catalogue order. Computed on first use: there can be 100,000 of them. */
  deferred(): readonly Tool[]
}

export function findUnlisted({
  division,
  record,
  active,
  forced,
  appendOnly,
}: PlanTurnOptions): Unlisted {
  const canBeHidden = (tool: Tool) => {
    const deferral = division.deferral(tool)
    return active ? deferral !== 'eager' : deferral === 'always-deferred'
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
  const all = active ? division.deferrable : division.alwaysDeferred
  const available = [...notHidden].flatMap((name) => division.get(name) ?? [])
  const has = (tool: Tool) =>
    revealed.has(tool.name) || (canBeHidden(tool) && !notHidden.has(tool.name))
  let deferred: readonly Tool[] | undefined
  return {
    hidden: all.length + (division.beyond ?? 0) - available.filter(canBeHidden).length,
    revealed,
    has,
    deferred() {
      deferred ??= division.deferrable.filter(has)
      return deferred
    },
  }
}

/** The listed tools in order, and what the session must remember about them. */
export function listTools(
  options: PlanTurnOptions,
  unlisted: Unlisted,
  offersSearch: boolean,
): { tools: readonly ToolText[]; isListExtended?: boolean } & Pick<
  SessionRecord,
  'sent' | 'seen' | 'stubs'
> {
  const { division, record, active, preset, appendOnly } = options
  // tools that are listed in full now may be hidden as the conversation grows
  const mayHideLater = dependsOnUsage(preset.activation)
  const hasSeenAutomatic = !active && division.deferrable.length > division.alwaysDeferred.length
  const stubs = stubsOf(options)
  if (stubs && (offersSearch || !appendOnly)) {
    const seen = hasSeenAutomatic && ({ seen: 'automatic' } as const)
    if (appendOnly?.reveal === 'stub') {
      const list = options.stubLists.find(record.stubs, division, stubs, preset.searchTool.name)
      const { tools, isExtended } = listStubs(list, division, unlisted)
      const isReplaced = list.digest !== record.stubs
      const isListExtended = record.stubs !== undefined && (isExtended || isReplaced)
      return { tools, isListExtended, sent: record.sent, stubs: list.digest, ...seen }
    }
    // every tool stays in its place, with or without its schema
    const tools = division.visible.map((tool) =>
      unlisted.has(tool) ? stubText(tool, stubs, preset.searchTool.name) : toolText(tool),
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

function stubsOf({ preset, appendOnly }: PlanTurnOptions): Announcement['stubs'] {
  const { stubs } = preset.announcement
  if (appendOnly?.reveal === undefined) return stubs
  return REVEALS[appendOnly.reveal].hidden === 'stubs' ? (stubs ?? PLAIN_STUBS) : undefined
}

function namesOf(tools: readonly Tool[]): string[] {
  return tools.map((tool) => tool.name)
}
