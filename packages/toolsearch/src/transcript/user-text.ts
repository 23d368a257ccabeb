import type { Entry } from './entry.ts'
import { beforeExpectedNotice } from './expected-notice.ts'

/** What the user says in a message. Undefined if it is not one of the user or has only results or media. */
export function userText(entry: Entry): string | undefined {
  if (entry.role !== 'user') return undefined
  // a request that is built again has the notice of the first attempt
  const said = beforeExpectedNotice(textsIn(entry).join('\n')).trim()
  return said === '' ? undefined : said
}

/** Like `userText`, for the last message of a framework. */
export function lastUserText(
  messages: readonly object[],
  read: (message: object, at: number) => Entry,
): string | undefined {
  const last = messages.at(-1)
  return last && userText(read(last, messages.length - 1))
}

export function textsIn({ parts }: Entry): string[] {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
}
