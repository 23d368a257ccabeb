import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { Entry, Part, ResultPart } from '../../transcript/entry.ts'
import { matchResults } from '../../transcript/match-results.ts'
import { type PairLayout, pairCalls } from '../../transcript/pair-calls.ts'
import { withParts } from '../../transcript/with-parts.ts'
import type { Repair, RepairContext, RepairedEntries } from '../provider.ts'
import { NO_RESULT } from '../repair-texts.ts'
import { NO_ERROR_MESSAGE } from '../write-parts.ts'
import type { StaleThinking } from './anthropic-modes.ts'
import { isSignedCompaction, resultBlocks, text, toolsetOf } from './blocks.ts'
import { withoutStaleThinking } from './drop-thinking.ts'
import { withoutOtherSearches } from './native-search.ts'
import { readBlock } from './read.ts'
import { type Report, withContent } from './with-content.ts'

/** Makes a history well formed. */
export function repair(
  entries: readonly Entry[],
  context: RepairContext,
  stale: StaleThinking,
): RepairedEntries {
  const repairs: Repair[] = []
  const report: Report = (kind, about, at) => repairs.push({ kind, about, at })
  const start = startOf(entries)
  const current = start === 0 ? entries : entries.slice(start)
  if (start > 0) report('history-compacted', 'compaction', start)
  const cleaned = cleanEntries(current, report)
  const matches = matchResults(cleaned)
  const paired = pairCalls(cleaned, matches, LAYOUT, report)
  const repaired = withoutOtherSearches(paired, matches, context, report)
  if (repairs.length === 0) return { entries, repairs }
  const change = { stale, isPromptChanged: false }
  return { entries: withoutStaleThinking(current, repaired, change, report), repairs }
}

/** A signed summary replaces the messages before it, and the service accepts it only at the start. */
function startOf(entries: readonly Entry[]): number {
  const isStart = ({ native }: Part) => isSignedCompaction(native)
  return Math.max(
    0,
    entries.findLastIndex(({ parts }) => parts.some(isStart)),
  )
}

const LAYOUT: PairLayout = {
  results: 'merged',
  noResult: ({ id, native }) =>
    readBlock({
      type: 'tool_result',
      tool_use_id: id,
      ...toolsetOf(native),
      content: [text(NO_RESULT)],
    }) as ResultPart,
  message: (results) => ({ role: 'user', content: results.map(({ native }) => native) }),
  withParts: (entry, parts) => withParts(entry, parts, 'content'),
}

function cleanEntries(entries: readonly Entry[], report: Report): Entry[] {
  const called = new Set<unknown>()
  return entries.flatMap((entry) => {
    const reportHere: ReportHere = (kind, about) => report(kind, String(about), entry.at)
    const parts = entry.parts.flatMap((part): Part[] => {
      const block = cleanBlock(part.native, reportHere)
      if (block === undefined) return []
      if (block.type === 'tool_use') {
        if (called.has(block.id)) {
          reportHere('duplicate-dropped', block.id)
          return []
        }
        called.add(block.id)
      }
      return [block === part.native ? part : readBlock(block)]
    })
    return withContent(entry, parts, report)
  })
}

type ReportHere = (kind: Repair['kind'], about: unknown) => void

function cleanBlock(block: Block, report: ReportHere): Block | undefined {
  if (isBlank(block)) {
    report('empty-dropped', 'text')
    return undefined
  }
  if (block.type === 'tool_use') return cleanCall(block, report)
  return block.type === 'tool_result' ? cleanResult(withValidId(block), report) : block
}

/** The service rejects text that is only whitespace, though models write it. */
function isBlank({ type, text }: Block): boolean {
  return type === 'text' && (typeof text !== 'string' || text.trim() === '')
}

/** Calls by other providers' models may have ids or arguments that the service rejects. */
function cleanCall(block: Block, report: ReportHere): Block {
  const id = validId(block.id)
  const input = isObject(block.input) ? block.input : {}
  if (id === block.id && input === block.input) return block
  report('call-fixed', block.id)
  return { ...block, id, input }
}

function withValidId(block: Block): Block {
  const id = validId(block.tool_use_id)
  return id === block.tool_use_id ? block : { ...block, tool_use_id: id }
}

function validId(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/[^a-zA-Z0-9_-]/g, '_') : id
}

function cleanResult(block: Block, report: ReportHere): Block {
  const before = resultBlocks(block)
  const after = before.filter((inner) => {
    if (isBlank(inner)) report('empty-dropped', block.tool_use_id)
    return !isBlank(inner)
  })
  const isSame = after.length === before.length
  // The service rejects an empty list, but accepts a result without content, unless it is an error.
  const isEmpty = after.length === 0 && (Array.isArray(block.content) || block.is_error === true)
  if (isEmpty && isSame) report('empty-dropped', block.tool_use_id)
  if (isSame && !isEmpty) return block
  const { content: _, ...rest } = block
  if (after.length > 0) return { ...rest, content: after }
  return block.is_error === true ? { ...rest, content: [text(NO_ERROR_MESSAGE)] } : rest
}
