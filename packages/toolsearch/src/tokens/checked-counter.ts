import { fail } from '../options/check-option.ts'
import type { CountTokens } from './estimate-tokens.ts'

/**
 * Checks each result of the `countTokens` option: a NaN or a promise would spread through the sums
 * that decide when deferral starts.
 *
 * @throws InvalidOptionError when the counter is called
 */
export function checkedCounter(countTokens: CountTokens): CountTokens {
  return (text) => {
    const tokens: unknown = countTokens(text)
    if (typeof tokens !== 'number' || !(tokens >= 0 && tokens < Number.POSITIVE_INFINITY)) {
      fail(tokens, 'the result of countTokens()', 'return a number, 0 or more')
    }
    return tokens
  }
}
