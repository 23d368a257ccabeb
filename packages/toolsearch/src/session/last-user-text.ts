import { beforeExpectedNotice } from './expected-notice.ts'
import { userTexts } from './user-texts.ts'

/**
 * What the user says in the last message, in the shape of any provider. Undefined if the last message
 * is not one of the user or has no text, for example because it has the results of calls.
 */
export function lastUserText(messages: readonly unknown[]): string | undefined {
  const texts = userTexts(messages.at(-1)) ?? []
  // a request that is built again has the notice of the first attempt
  const said = beforeExpectedNotice(texts.join('\n')).trim()
  return said === '' ? undefined : said
}
