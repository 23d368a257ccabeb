import { isObject } from '../is-object.ts'
import { EXPECTED_HEADING } from '../session/expected-tools.ts'

/**
 * What the user says in the last message, in the shape of any provider. Undefined if the last message
 * is not one of the user or has no text, for example because it has the results of calls.
 */
export function lastUserText(messages: readonly unknown[]): string | undefined {
  const message = messages.at(-1)
  if (!isObject(message) || message.role !== 'user') return undefined
  const { content = message.parts } = message
  const parts = typeof content === 'string' ? [content] : Array.isArray(content) ? content : []
  const text = parts
    .map((part: unknown) => (isObject(part) ? part.text : part))
    .filter((part) => typeof part === 'string')
    .join('\n')
  // a request that is built again has the notice of the first attempt
  const said = text.split(EXPECTED_HEADING)[0]!.trim()
  return said === '' ? undefined : said
}
