import { isObject } from '../../is-object.ts'
import type { ReconcileContext, Repair, Repaired } from '../provider.ts'
import { foundText } from '../repair-texts.ts'
import { isCall } from './find-outputs.ts'
import { definedNames, developerText, type Item, isSearch } from './items.ts'
import { namespaceFinder } from './namespace-finder.ts'
import { dropOrphanedReasoning } from './reasoning.ts'

/**
 * Adapts a well-formed history to the tools and the search of a request. Items that are fine stay the
 * same objects.
 */
export function reconcile(items: readonly Item[], context: ReconcileContext): Repaired<Item> {
  const repairs: Repair[] = []
  const namespaceOf = namespaceFinder(items.filter(definesTools), context)
  const replacements = items.map((item, at) => {
    const report: Report = (kind, about) => repairs.push({ kind, about: String(about), at })
    if (isSearch(item) && !context.canSearch) return replaceSearch(item, report)
    if (item.type === 'tool_search_output') return [withoutListed(item, report)]
    if (item.type === 'additional_tools') {
      const remaining = withoutListed(item, report)
      const isEmptied = remaining !== item && (remaining.tools as unknown[]).length === 0
      return isEmptied ? [] : [remaining]
    }
    return item.type === 'function_call' ? [inNamespace(item, report)] : [item]
  })
  if (repairs.length === 0) return { messages: items, repairs }
  const kept = dropOrphanedReasoning(items, replacements, (item, at) =>
    repairs.push({ kind: 'reasoning-dropped', about: String(item.id), at }),
  )
  return { messages: kept.flat(), repairs }

  function definesTools({ type }: Item): boolean {
    return type === 'additional_tools' || (type === 'tool_search_output' && context.canSearch)
  }

  function replaceSearch(item: Item, report: Report): Item[] {
    if (isCall(item)) return []
    report('search-to-text', item.call_id ?? item.id)
    return [developerText(foundText(definedNames(item), context))]
  }

  /** A call carries the namespace of its function, or none if the function is in none. */
  function inNamespace(item: Item, report: Report): Item {
    const { namespace: before, ...rest } = item
    const name = String(item.name)
    const after = namespaceOf(name, before)
    if (after === before) return item
    report('namespace-changed', name)
    return after === undefined ? rest : { ...rest, namespace: after }
  }

  /** Drops definitions of functions that the request lists: defining one twice is an error. */
  function withoutListed(item: Item, report: Report): Item {
    if (!Array.isArray(item.tools)) return item
    const tools = item.tools.filter((tool: unknown) => {
      if (!isObject(tool) || tool.type !== 'function') return true
      const isListed = context.isListed(String(tool.name))
      if (isListed) report('duplicate-dropped', tool.name)
      return !isListed
    })
    return tools.length === item.tools.length ? item : { ...item, tools }
  }
}

type Report = (kind: Repair['kind'], about: unknown) => unknown
