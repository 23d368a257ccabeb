import { type Check, check } from '../options/check-option.ts'
import type { Learning } from './learning.ts'

/** The option `learning` of a search. */
export const checkLearning: Check = check(
  (value) => typeof (value as Learning | null)?.follow === 'function',
  'use createLearning() of toolsearch/learning',
)
