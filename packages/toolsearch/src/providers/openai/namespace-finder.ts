import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { Entry } from '../../transcript/entry.ts'
import type { ReconcileContext } from '../provider.ts'
import { definedNames } from './items.ts'
import { namespacesOf, type OpenaiNamespace } from './namespaces.ts'

/**
 * Returns a function that determines the namespace a call must have, based on its current one. The
 * service rejects a call without a namespace if its function is in one, and every function found by
 * a search is in one.
 *
 * @param defining the entries of the request that define functions
 * @see https://github.com/dust-tt/dust/pull/31323
 */
export function namespaceFinder(
  defining: readonly Entry[],
  context: ReconcileContext,
): (name: string, current: unknown) => unknown {
  const groupOf = groupsByFunction(namespacesOf(context.deferred))
  const definedIn = new Map<string, unknown[]>()
  for (const { native } of defining) addNamespaces(native, definedIn)
  const { reveal } = context.mode
  return (name, current) => {
    if (context.isListed(name)) return undefined
    const group = groupOf.get(name)
    const valid = [...(definedIn.get(name) ?? []), ...(group === undefined ? [] : [group])]
    if (valid.length > 0) return valid.includes(current) ? current : valid.at(-1)
    // Remove the namespace of our own tool if the mode is for endpoints that may not support
    // namespaces. Also remove a namespace named after the function: it exists only if the request
    // contains the search that found the function.
    const isOurTool = context.definition(name) !== undefined
    return isOurTool && (reveal !== 'definition' || current === name) ? undefined : current
  }
}

const namesByFunction = new WeakMap<readonly OpenaiNamespace[], Map<string, string>>()

/** Cached, because consecutive requests usually have the same thousands of functions. */
function groupsByFunction(groups: readonly OpenaiNamespace[]): ReadonlyMap<string, string> {
  let names = namesByFunction.get(groups)
  if (names === undefined) {
    names = new Map(groups.flatMap(({ name, tools }) => tools.map((tool) => [tool.name, name])))
    namesByFunction.set(groups, names)
  }
  return names
}

function addNamespaces(item: Block, definedIn: Map<string, unknown[]>): void {
  const tools = Array.isArray(item.tools) ? item.tools.filter(isObject) : []
  for (const tool of tools) {
    const isGroup = tool.type === 'namespace'
    for (const name of isGroup ? definedNames(tool) : [String(tool.name)]) {
      const own = item.type === 'tool_search_output' ? name : undefined
      definedIn.set(name, [...(definedIn.get(name) ?? []), isGroup ? tool.name : own])
    }
  }
}
