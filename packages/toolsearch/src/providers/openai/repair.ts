import type { Block } from '../../transcript/block.ts'
import type { CallPart, Entry, ResultPart } from '../../transcript/entry.ts'
import { foundNames } from '../../transcript/found-names.ts'
import { knownTools } from '../../transcript/known-tools.ts'
import { matchResults } from '../../transcript/match-results.ts'
import type { Repair, RepairContext, RepairedEntries } from '../provider.ts'
import { foundText, NO_RESULT } from '../repair-texts.ts'
import { outputOf } from './call-types.ts'
import { additionalTools } from './function-tool.ts'
import { developerText } from './items.ts'
import { read } from './read.ts'
import { dropOrphanedReasoning } from './reasoning.ts'

/**
 * Makes a history well formed for a mode. Calls are not paired as with other providers, because an output
 * may be anywhere after its call.
 *
 * Definitions of removed tools stay in the history: dropping one would invalidate the cache from
 * there on, and a call to a removed tool is answered with the closest names.
 */
export function repair(history: readonly Entry[], context: RepairContext): RepairedEntries {
  const { mode } = context
  const repairs: Repair[] = []
  const entries = withoutDuplicates(history, repairs)
  const { results, orphans } = matchResults(entries, { mayPrecede: true })
  const unasked = new Set(orphans.map(({ part }) => part))
  /** Outputs whose calls come before them. */
  const placed = new Set<ResultPart>()

  const replacements = entries.map((entry): readonly Entry[] => {
    const [part] = entry.parts
    if (part?.type === 'call') return repairCall(entry, part)
    if (part?.type === 'result') return repairOutput(entry, part)
    if (part?.type !== 'added' || mode.reveal === 'definition') return [entry]
    const names = part.tools.map(({ name }) => name)
    report('reference-to-text', names.join(', '), entry)
    return [foundEntry(names, entry)]
  })
  restoreLost()
  const kept = dropOrphanedReasoning(entries, replacements, (entry) =>
    report('reasoning-dropped', entry.native.id, entry),
  )
  return { entries: kept.flat(), repairs }

  function report(kind: Repair['kind'], about: unknown, { at }: Entry): void {
    repairs.push({ kind, about: String(about), at })
  }

  function repairCall(entry: Entry, call: CallPart): Entry[] {
    const answer = results.get(call)
    const isHosted = call.search === 'provider'
    if (!isCarried(call) || (isHosted && answer === undefined)) {
      // A pair is reported once, at its output.
      if (answer === undefined) report('search-to-text', aboutSearch(entry), entry)
      return []
    }
    if (isHosted) return [entry]
    if (answer === undefined) {
      // its output comes in a later request
      if (call.native.async === true) return [entry]
      report('call-answered', call.id, entry)
      return [entry, read(emptyOutput(call), entry.at)]
    }
    placed.add(answer.part)
    if (answer.entry.at > entry.at) return [entry]
    report('result-moved', call.id, entry)
    return [entry, answer.entry]
  }

  function repairOutput(entry: Entry, output: ResultPart): Entry[] {
    const isHosted = output.search === 'provider'
    if (!isCarried(output) || (isHosted && unasked.has(output))) {
      report('search-to-text', aboutSearch(entry), entry)
      return [foundEntry(foundNames(output), entry)]
    }
    if (isHosted) return [entry]
    if (unasked.has(output)) report('result-dropped', output.callId, entry)
    // An output before its call is moved to after the call.
    return placed.has(output) ? [entry] : []
  }

  /** Whether the mode has this kind of search. A hosted one also needs both its call and its output. */
  function isCarried({ search }: CallPart | ResultPart): boolean {
    return search === undefined || (mode.reveal === 'definition' && search === mode.search)
  }

  /**
   * The service replaces the items before a compaction, so the model would lose the definitions in
   * them that no later item repeats.
   */
  function restoreLost(): void {
    const at = entries.findLastIndex(({ parts }) => parts[0]?.type === 'summary')
    if (at < 0 || mode.reveal !== 'definition') return
    const before = knownTools(replacements.slice(0, at).flat(), mode).revealed
    const remaining = knownTools(replacements.flat(), mode).revealed
    const lost = [...before]
      .filter((name) => !remaining.has(name))
      .flatMap((name) => context.definition(name) ?? [])
    if (lost.length === 0) return
    const compaction = entries[at]!
    replacements[at] = [compaction, read(additionalTools(lost), compaction.at)]
    report('tools-restored', lost.map(({ name }) => name).join(', '), compaction)
  }

  function foundEntry(names: readonly string[], { at }: Entry): Entry {
    return read(developerText(foundText(names, context)), at)
  }
}

/** A hosted search has no id of its own. */
function aboutSearch({ native: { call_id, id, type } }: Entry): unknown {
  return call_id ?? id ?? type
}

/** Leaves out repeated items and calls: the service rejects an input with the same id twice. */
function withoutDuplicates(entries: readonly Entry[], repairs: Repair[]): Entry[] {
  const seen = new Set<string>()
  const isNew = (key: string) => !seen.has(key) && seen.add(key)
  return entries.filter(({ parts: [part], native: { id }, at }) => {
    const call = part?.type === 'call' && part.id !== undefined ? part : undefined
    const isDuplicate =
      (typeof id === 'string' && !isNew(id)) ||
      (call !== undefined && !isNew(`${call.search ?? call.native.type} ${call.id}`))
    if (isDuplicate) repairs.push({ kind: 'duplicate-dropped', about: String(call?.id ?? id), at })
    return !isDuplicate
  })
}

function emptyOutput({ search, native }: CallPart): Block {
  if (search === undefined) return outputOf(native, { text: NO_RESULT, isError: true })
  return {
    type: 'tool_search_output',
    call_id: native.call_id,
    execution: 'client',
    status: 'completed',
    tools: [],
  }
}
