import { promotionIn } from 'toolsearch'
import { isObject } from '../../protocol/json-object.ts'

/** So many characters of each text are read, and so many of a sentence are quoted. */
const MAX_READ = 20_000
const MAX_QUOTED = 200

/**
 * The first sentence in the texts of a tool that promotes it or gives orders to the model, for the
 * person who decides about the tool. Undefined if there is none.
 */
export function promotionOf(definition: object): string | undefined {
  const { title, description, inputSchema } = definition as Record<string, unknown>
  const { properties } = isObject(inputSchema) ? inputSchema : {}
  const parameters = isObject(properties) ? Object.values(properties) : []
  const texts = [
    title,
    description,
    ...parameters.map((each) => isObject(each) && each.description),
  ]
  for (const text of texts) {
    const found = typeof text === 'string' ? promotionIn(text.slice(0, MAX_READ)) : undefined
    if (found !== undefined) return found.slice(0, MAX_QUOTED)
  }
  return undefined
}
