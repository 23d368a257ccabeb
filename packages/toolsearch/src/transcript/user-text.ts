import type { Entry } from './entry.ts'
import { beforeExpectedNotice } from './expected-notice.ts'

/**
 * What the user says in the last message. Undefined if it is not one of the user or has no text, for
 * example because it has the results of calls.
 */
export function lastUserText(
  messages: readonly object[],
  read: (message: object, at: number) => Entry,
): string | undefined {
  const last = messages.at(-1)
  const entry = last === undefined ? undefined : read(last, messages.length - 1)
  if (entry?.role !== 'user') return undefined
  // a request that is built again has the notice of the first attempt
  const said = beforeExpectedNotice(textsIn(entry).join('\n')).trim()
  return said === '' ? undefined : said
}

export function textsIn({ parts }: Entry): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}
