import type { RepairContext } from './provider.ts'

/** Replaces a result that the history has lost. */
export const NO_RESULT = 'No result was recorded.'

/** Replaces the missing start of a history. */
export const OMITTED_START = 'Earlier parts of this conversation were omitted.'

/** Replaces the blocks of a search that the request cannot carry in their own form. */
export function foundText(
  names: readonly string[],
  { definition }: Pick<RepairContext, 'definition'>,
): string {
  if (names.length === 0) return 'No tools found.'
  const available = names.filter((name) => definition(name))
  const gone = names.filter((name) => !definition(name))
  return [
    available.length > 0 ? `Found: ${available.join(', ')}.` : '',
    gone.length > 0 ? `No longer available: ${gone.join(', ')}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}
