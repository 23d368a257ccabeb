import type { Tool } from '../catalogue/tool.ts'
import { nameLine } from './cut-text.ts'
import { formatToolList, type ListingOptions } from './format-tool-list.ts'

/**
 * A notice for the model about tools added and removed since the last announcement. It is appended
 * to the conversation, so that nothing sent before has to change. Empty if nothing changed.
 */
export function announceChanges(
  added: readonly Tool[],
  removed: readonly string[],
  options: ListingOptions,
): string {
  if (options.style === 'none') return ''
  const parts: string[] = []
  if (added.length > 0)
    parts.push(`New tools available through search:\n${formatToolList(added, options)}`)
  if (removed.length > 0) parts.push(`No longer available:\n${listNames(removed)}`)
  return parts.join('\n\n')
}

const MAX_NAMES = 50

function listNames(names: readonly string[]): string {
  const lines = [...names]
    .sort()
    .slice(0, MAX_NAMES)
    .map((name) => `- ${nameLine(name)}`)
  if (names.length > MAX_NAMES) lines.push(`- and ${names.length - MAX_NAMES} more`)
  return lines.join('\n')
}
