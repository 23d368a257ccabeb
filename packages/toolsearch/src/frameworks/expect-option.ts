import { type Check, check } from '../options/check-option.ts'

/** The option `expect` of an adapter that sees each message of the user. */
export type ExpectOption = boolean | ((text: string) => string | undefined)

export const checkExpect: Check = check(
  (value) => typeof value === 'boolean' || typeof value === 'function',
  'use true, or a function that returns the words to search with',
)

/** The words to search with, given the last message of the user. */
export function expectedWords(
  expect: ExpectOption,
  text: string | undefined,
): { readonly expect?: string } {
  if (text === undefined || expect === false) return {}
  const words = expect === true ? text : expect(text)
  return words === undefined ? {} : { expect: words }
}
