import { resultFormat } from '../tool-search/result-format.ts'
import type { ResultFormat } from '../tool-search/search-answer.ts'
import { REVEALS, type Reveal } from '../transcript/reveal.ts'
import type { Session } from './session.ts'

const FORMATS: ReadonlyMap<string, ResultFormat> = new Map(
  Object.entries(REVEALS).flatMap(([reveal, { detail, callWith }]) => {
    if (detail === undefined) return []
    const again = detail === 'schemas'
    return [[reveal, resultFormat({ detail, again, ...(callWith && { callWith }) })]]
  }),
)

/**
 * The format of search results for a way of revealing tools. Undefined for the preset's own, where it
 * says enough, and wherever the caller has set one.
 */
export function resultFor(
  { resultIn }: Pick<Session, 'resultIn'>,
  reveal: Reveal,
): ResultFormat | undefined {
  const hasSchemas = REVEALS[reveal].detail === 'schemas'
  const isOwn = resultIn === undefined || (resultIn === 'schemas' && hasSchemas)
  return isOwn ? undefined : FORMATS.get(reveal)
}
