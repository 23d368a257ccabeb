import { isObject } from '../../is-object.ts'
import type { RepairContext } from '../provider.ts'
import { definedNames, type Item } from './items.ts'
import { namespacesOf, type OpenaiNamespace } from './namespaces.ts'
import { type OpenaiMode, openaiModes } from './openai-modes.ts'

/**
 * Gives the namespace that a call must carry, from that which it carries. The service refuses a
 * call without one whose function is in one, as a function is that a search has found.
 *
 * @param defining the items that are sent and define functions
 * @see https://github.com/dust-tt/dust/pull/31323
 */
export function namespaceFinder(
  defining: readonly Item[],
  context: RepairContext,
): (name: string, carried: unknown) => unknown {
  const groupOf = groupsByFunction(namespacesOf(context.deferred))
  const places = new Map<string, unknown[]>()
  for (const item of defining) addPlaces(item, places)
  const { reveal } = openaiModes[context.mode as OpenaiMode]
  return (name, carried) => {
    if (context.isListed(name)) return undefined
    const group = groupOf.get(name)
    const known = [...(places.get(name) ?? []), ...(group === undefined ? [] : [group])]
    if (known.length > 0) return known.includes(carried) ? carried : known.at(-1)
    // an endpoint may not know namespaces, and a search that is not sent has made none
    const isOurs = context.definition(name) !== undefined
    return isOurs && (reveal !== 'messages' || carried === name) ? undefined : carried
  }
}

const byFunction = new WeakMap<readonly OpenaiNamespace[], Map<string, string>>()

/** Thousands of functions, and mostly the same as in the request before. */
function groupsByFunction(groups: readonly OpenaiNamespace[]): ReadonlyMap<string, string> {
  let names = byFunction.get(groups)
  if (names === undefined) {
    names = new Map(groups.flatMap(({ name, tools }) => tools.map((tool) => [tool.name, name])))
    byFunction.set(groups, names)
  }
  return names
}

function addPlaces(item: Item, places: Map<string, unknown[]>): void {
  const tools = Array.isArray(item.tools) ? item.tools.filter(isObject) : []
  for (const tool of tools) {
    const isGroup = tool.type === 'namespace'
    for (const name of isGroup ? definedNames(tool) : [String(tool.name)]) {
      const own = item.type === 'tool_search_output' ? name : undefined
      places.set(name, [...(places.get(name) ?? []), isGroup ? tool.name : own])
    }
  }
}
