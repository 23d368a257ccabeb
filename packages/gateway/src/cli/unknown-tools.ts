import { closestKey } from '../config/closest-key.ts'
import type { Gateway } from '../offering/gateway.ts'
import { noSuchTools } from './command-errors.ts'

/**
 * Says which of the names no tool has, with the closest name, and which tools a rule hides. Undefined if
 * all of them exist.
 *
 * @param isRefreshed whether every server was asked, instead of the cache
 */
export function unknownTools(
  gateway: Pick<Gateway, 'toolSearch' | 'hiddenTools' | 'nameOf'>,
  names: readonly string[],
  isRefreshed: boolean,
): string | undefined {
  const { catalogue } = gateway.toolSearch
  const missing = names.filter((name) => !catalogue.has(name))
  if (missing.length === 0) return undefined
  const hiddenBy = new Map(
    gateway.hiddenTools().flatMap(({ server, tool, hiddenBy }) => [
      [`${server}/${tool}`, hiddenBy],
      [gateway.nameOf(server, tool), hiddenBy],
    ]),
  )
  const lines = missing
    .filter((name) => hiddenBy.has(name))
    .map((name) => `${name} is hidden by ${hiddenBy.get(name)}.`)
  const unknown = missing.filter((name) => !hiddenBy.has(name))
  if (unknown.length === 0) return lines.join('\n')
  const known = catalogue.tools().map(({ name }) => name)
  const closest = unknown
    .map((name) => closestKey(name, known))
    .filter((name) => name !== undefined)
  const hint = closest.length > 0 ? ` Did you mean ${closest.join(', ')}?` : ''
  const advice = isRefreshed ? '' : ' Use --refresh if it is new.'
  return [...lines, `${noSuchTools(unknown)}${hint}${advice}`].join('\n')
}
