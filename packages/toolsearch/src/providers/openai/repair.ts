import type { ToolText } from '../../tokens/tool-tokens.ts'
import type { IndexedRepair, Repair, RepairContext } from '../provider.ts'
import { foundText, NO_RESULT } from '../repair-texts.ts'
import { outputOf } from './call-types.ts'
import { findOutputs, isCall, isOutput, pairKey } from './find-outputs.ts'
import { additionalTools } from './function-tool.ts'
import {
  definedNames,
  developerText,
  type Item,
  isHostedSearch,
  isSearch,
  lastCompaction,
} from './items.ts'
import { dropOrphanedReasoning } from './reasoning.ts'
import { hasSearch, revealed } from './revealed.ts'

/**
 * Makes a history well formed for a mode. Items that are fine stay the same objects.
 *
 * Definitions of removed tools stay in the history: dropping one would invalidate the cache from
 * there on, and a call to a removed tool is answered with the closest names.
 */
export function repair(messages: readonly Item[], context: RepairContext): IndexedRepair<Item> {
  const repairs: Repair[] = []
  const originalIndexes = indexesOfUnique(messages, repairs)
  const items = originalIndexes.map((index) => messages[index]!)
  const outputs = findOutputs(items)
  const answers = new Set(outputs.values())
  const called = new Set<string>()

  const replacements: (readonly Item[])[] = items.map((item, at) => {
    const report = reportAt(at)
    if (isHostedSearch(item)) return repairHostedSearch(item, at, report)
    if (item.type === 'additional_tools' && context.mode.reveal !== 'definition') {
      report('reference-to-text', definedNames(item).join(', '))
      return [foundItem(item)]
    }
    if (isSearch(item) && !hasSearch(context.mode, item)) {
      // A pair is reported once, at its output.
      if (!isCall(item) || !outputs.has(at)) report('search-to-text', item.call_id)
      return isCall(item) ? [] : [foundItem(item)]
    }
    if (isCall(item)) return repairCall(item, at, report)
    return isOutput(item) ? repairOutput(item, at, report) : [item]
  })
  const compaction = lastCompaction(items)
  const lost = compaction < 0 ? [] : lostTools(items, compaction, context)
  if (lost.length > 0) {
    replacements[compaction] = [items[compaction]!, additionalTools(lost)]
    reportAt(compaction)('tools-restored', lost.map(({ name }) => name).join(', '))
  }
  const kept = dropOrphanedReasoning(items, replacements, (item, at) =>
    reportAt(at)('reasoning-dropped', item.id),
  )
  if (repairs.length === 0) return { messages, repairs }
  return {
    messages: kept.flat(),
    repairs,
    indexes: kept.flatMap((list, at) => list.map(() => originalIndexes[at]!)),
  }

  function reportAt(at: number): Report {
    return (kind, about) => repairs.push({ kind, about: String(about), at: originalIndexes[at]! })
  }

  /** A hosted search needs both its call and its output, and a request with hosted search. */
  function repairHostedSearch(item: Item, at: number, report: Report): Item[] {
    const isPaired = isCall(item) ? outputs.has(at) : answers.has(at)
    if (isPaired && hasSearch(context.mode, item)) return [item]
    // A pair is reported once, at its output.
    if (!isCall(item) || !isPaired) report('search-to-text', item.id ?? item.type)
    return isCall(item) ? [] : [foundItem(item)]
  }

  function repairCall(item: Item, at: number, report: Report): Item[] {
    const key = pairKey(item)!
    if (called.has(key)) {
      report('duplicate-dropped', item.call_id)
      return []
    }
    called.add(key)
    const answer = outputs.get(at)
    if (answer === undefined) {
      report('call-answered', item.call_id)
      return [item, emptyOutput(item)]
    }
    if (answer > at) return [item]
    report('result-moved', item.call_id)
    return [item, items[answer]!]
  }

  function repairOutput(item: Item, at: number, report: Report): Item[] {
    if (!answers.has(at)) {
      report('result-dropped', item.call_id)
      return []
    }
    // An output before its call is moved to after the call.
    return called.has(pairKey(item)!) ? [item] : []
  }

  function foundItem(item: Item): Item {
    return developerText(foundText(definedNames(item), context))
  }
}

/**
 * The tools that items before a compaction define and that none after it does. The service replaces
 * these items, so the model would lose the definitions.
 */
function lostTools(
  items: readonly Item[],
  compaction: number,
  { mode, definition }: RepairContext,
): readonly ToolText[] {
  if (mode.reveal !== 'definition') return []
  const remaining = revealed(items, mode)
  const before = revealed(items.slice(0, compaction), mode)
  return [...before]
    .filter((name) => !remaining.has(name))
    .flatMap((name) => definition(name) ?? [])
}

type Report = (kind: Repair['kind'], about: unknown) => unknown

/** The indexes of all items but duplicates: the service rejects an input with the same id twice. */
function indexesOfUnique(items: readonly Item[], repairs: Repair[]): number[] {
  const seen = new Set<string>()
  return items.flatMap(({ id }, at) => {
    if (typeof id !== 'string') return [at]
    if (seen.has(id)) {
      repairs.push({ kind: 'duplicate-dropped', about: id, at })
      return []
    }
    seen.add(id)
    return [at]
  })
}

function emptyOutput(item: Item): Item {
  if (item.type !== 'tool_search_call') return outputOf(item, { text: NO_RESULT, isError: true })
  return {
    type: 'tool_search_output',
    call_id: item.call_id,
    execution: 'client',
    status: 'completed',
    tools: [],
  }
}
