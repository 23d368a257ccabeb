import type { ToolSearch } from 'toolsearch'
import { closestKey } from '../config/closest-key.ts'
import { noSuchTools } from './usage-error.ts'

/**
 * Says which of the names no tool has, with the closest name. Undefined if all of them exist.
 *
 * @param isRefreshed whether every server was asked, instead of the cache
 */
export function unknownTools(
  catalogue: ToolSearch['catalogue'],
  names: readonly string[],
  isRefreshed: boolean,
): string | undefined {
  const unknown = names.filter((name) => !catalogue.has(name))
  if (unknown.length === 0) return undefined
  const known = catalogue.tools().map(({ name }) => name)
  const closest = unknown
    .map((name) => closestKey(name, known))
    .filter((name) => name !== undefined)
  const hint = closest.length > 0 ? ` Did you mean ${closest.join(', ')}?` : ''
  const advice = isRefreshed ? '' : ' Use --refresh if it is new.'
  return `${noSuchTools(unknown)}${hint}${advice}`
}
