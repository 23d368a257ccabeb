import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { Entry } from '../../transcript/entry.ts'
import { foundNames } from '../../transcript/found-names.ts'
import type { ReconcileContext, Repair, RepairedEntries } from '../provider.ts'
import { foundText } from '../repair-texts.ts'
import { developerText } from './items.ts'
import { namespaceFinder } from './namespace-finder.ts'
import { read } from './read.ts'
import { dropOrphanedReasoning } from './reasoning.ts'

/** Adapts a well-formed history to the tools and the search of a request. */
export function reconcile(entries: readonly Entry[], context: ReconcileContext): RepairedEntries {
  const repairs: Repair[] = []
  const namespaceOf = namespaceFinder(entries.filter(definesTools), context)
  const replacements = entries.map((entry): readonly Entry[] => {
    const { native, at } = entry
    const [part] = entry.parts
    const report: Report = (kind, about) => repairs.push({ kind, about: String(about), at })
    if (part?.type === 'call') {
      if (part.search !== undefined && !context.canSearch) return []
      return native.type === 'function_call' ? [inNamespace(entry, report)] : [entry]
    }
    if (part?.type === 'result' && part.search !== undefined) {
      if (context.canSearch) return [withoutListed(entry, report)]
      report('search-to-text', native.call_id ?? native.id)
      return [read(developerText(foundText(foundNames(part), context)), at)]
    }
    if (part?.type !== 'added') return [entry]
    const remaining = withoutListed(entry, report)
    const isEmptied = remaining !== entry && (remaining.native.tools as unknown[]).length === 0
    return isEmptied ? [] : [remaining]
  })
  if (repairs.length === 0) return { entries, repairs }
  const kept = dropOrphanedReasoning(entries, replacements, ({ native, at }) =>
    repairs.push({ kind: 'reasoning-dropped', about: String(native.id), at }),
  )
  return { entries: kept.flat(), repairs }

  function definesTools({ parts: [part] }: Entry): boolean {
    if (part?.type === 'result') return part.search !== undefined && context.canSearch
    return part?.type === 'added'
  }

  /** A call carries the namespace of its function, or none if the function is in none. */
  function inNamespace(entry: Entry, report: Report): Entry {
    const { namespace: before, ...rest } = entry.native
    const name = String(rest.name)
    const after = namespaceOf(name, before)
    if (after === before) return entry
    report('namespace-changed', name)
    return read(after === undefined ? rest : { ...rest, namespace: after }, entry.at)
  }

  /** Drops definitions of functions that the request lists: defining one twice is an error. */
  function withoutListed(entry: Entry, report: Report): Entry {
    const { native, at } = entry
    if (!Array.isArray(native.tools)) return entry
    const tools = native.tools.filter((tool: Block) => {
      if (!isObject(tool) || tool.type !== 'function') return true
      const isListed = context.isListed(String(tool.name))
      if (isListed) report('duplicate-dropped', tool.name)
      return !isListed
    })
    return tools.length === native.tools.length ? entry : read({ ...native, tools }, at)
  }
}

type Report = (kind: Repair['kind'], about: unknown) => unknown
