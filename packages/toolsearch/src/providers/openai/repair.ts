import { isObject } from '../../is-object.ts'
import { foundText } from '../found-text.ts'
import type { Repair, RepairContext, Repaired } from '../provider.ts'
import { NO_RESULT } from '../repair-words.ts'
import { findOutputs, isCall, isOutput, pairKey } from './find-outputs.ts'
import { definedNames, developerText, type Item, isHostedSearch } from './items.ts'
import { keepReasoning } from './keep-reasoning.ts'
import { namespaceFinder } from './namespace-finder.ts'
import { takesAdditionalTools } from './openai-modes.ts'
import { placesWithoutCopies } from './places-without-copies.ts'
import { hasSearch } from './revealed.ts'

/**
 * Makes a history that the service accepts. What is fine as it stands stays the same object.
 *
 * Definitions of tools that are gone stay where they are: to take one out would change everything
 * after it for the cache, and a call of such a tool is answered with the closest names.
 */
export function repair(messages: readonly Item[], context: RepairContext): Repaired<Item> {
  const repairs: Repair[] = []
  const places = placesWithoutCopies(messages, repairs)
  const items = places.map((place) => messages[place]!)
  const outputs = findOutputs(items)
  const answers = new Set(outputs.values())
  const called = new Set<string>()
  const namespaceOf = namespaceFinder(items.filter(isSent), context)

  const replaced = items.map((item, at) => {
    const report = reportAt(at)
    if (isHostedSearch(item)) return hostedSearch(item, at, report)
    if (item.type === 'additional_tools') return additionalTools(item, report)
    if (isSearch(item) && !isKnown(item)) {
      if (isCall(item)) return []
      report('search-to-text', item.call_id)
      return [foundItem(item)]
    }
    if (isCall(item)) return call(item, at, report)
    return isOutput(item) ? output(item, at, report) : [item]
  })
  const whole = keepReasoning(items, replaced, (item, at) =>
    reportAt(at)('reasoning-dropped', item.id),
  )
  return { messages: repairs.length === 0 ? messages : whole, repairs }

  function reportAt(at: number): Report {
    return (kind, about) => repairs.push({ kind, about: String(about), at: places[at]! })
  }

  /** Whether the request has this kind of search. */
  function isKnown(item: Item): boolean {
    return context.canSearch && hasSearch(context.mode, item)
  }

  /** Whether an item is sent as one that defines functions. */
  function isSent(item: Item, at: number): boolean {
    if (item.type === 'additional_tools') return takesAdditionalTools(context.mode)
    return item.type === 'tool_search_output' && answers.has(at) && isKnown(item)
  }

  /** A search of the service goes back with its output, to a request that has this search. */
  function hostedSearch(item: Item, at: number, report: Report): Item[] {
    const isPaired = isCall(item) ? outputs.has(at) : answers.has(at)
    if (isPaired && isKnown(item)) return [item]
    // where both are there, the output is told as text
    if (!isCall(item) || !isPaired) report('search-to-text', item.id ?? item.type)
    return isCall(item) ? [] : [foundItem(item)]
  }

  function additionalTools(item: Item, report: Report): Item[] {
    if (!takesAdditionalTools(context.mode)) {
      report('reference-to-text', definedNames(item).join(', '))
      return [foundItem(item)]
    }
    const once = withoutListed(item, report)
    return once === item || (once.tools as unknown[]).length > 0 ? [once] : []
  }

  function call(item: Item, at: number, report: Report): Item[] {
    const key = pairKey(item)!
    if (called.has(key)) {
      report('duplicate-dropped', item.call_id)
      return []
    }
    called.add(key)
    const sent = item.type === 'function_call' ? inNamespace(item, report) : item
    const answer = outputs.get(at)
    if (answer === undefined) {
      report('call-answered', item.call_id)
      return [sent, madeUpOutput(item)]
    }
    if (answer > at) return [sent]
    report('result-moved', item.call_id)
    return [sent, withoutListed(items[answer]!, report)]
  }

  function output(item: Item, at: number, report: Report): Item[] {
    if (!answers.has(at)) {
      report('result-dropped', item.call_id)
      return []
    }
    // one that came before its call was moved behind it
    return called.has(pairKey(item)!) ? [withoutListed(item, report)] : []
  }

  /** A call carries the namespace of its function, and none if the function is in none. */
  function inNamespace(item: Item, report: Report): Item {
    const { namespace: before, ...rest } = item
    const name = String(item.name)
    const after = namespaceOf(name, before)
    if (after === before) return item
    report('namespace-changed', name)
    return after === undefined ? rest : { ...rest, namespace: after }
  }

  /** A function that the request lists must not be defined a second time beside it. */
  function withoutListed(item: Item, report: Report): Item {
    if (!Array.isArray(item.tools)) return item
    const tools = item.tools.filter((tool: unknown) => {
      if (!isObject(tool) || tool.type !== 'function') return true
      const isTwice = context.isListed(String(tool.name))
      if (isTwice) report('duplicate-dropped', tool.name)
      return !isTwice
    })
    return tools.length === item.tools.length ? item : { ...item, tools }
  }

  function foundItem(item: Item): Item {
    return developerText(foundText(definedNames(item), context))
  }
}

type Report = (kind: Repair['kind'], about: unknown) => unknown

function isSearch({ type }: Item): boolean {
  return type === 'tool_search_call' || type === 'tool_search_output'
}

function madeUpOutput({ type, call_id }: Item): Item {
  if (type === 'function_call') {
    return { type: 'function_call_output', call_id, output: NO_RESULT }
  }
  return {
    type: 'tool_search_output',
    call_id,
    execution: 'client',
    status: 'completed',
    tools: [],
  }
}
