import type { RepairContext } from './provider.ts'

/** What is left of a search whose own form cannot be sent. */
export function foundText(
  names: readonly string[],
  { definition }: Pick<RepairContext, 'definition'>,
): string {
  const here = names.filter((name) => definition(name))
  const gone = names.filter((name) => !definition(name))
  return [
    here.length > 0 || gone.length === 0 ? `Found: ${here.join(', ') || 'nothing'}.` : '',
    gone.length > 0 ? `No longer available: ${gone.join(', ')}.` : '',
  ]
    .filter(Boolean)
    .join(' ')
}
