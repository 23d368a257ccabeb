import type { Tool } from '../catalogue/tool.ts'
import { cutText } from './cut-text.ts'
import { formatToolList, type ListingOptions } from './format-tool-list.ts'

/**
 * A notice for the model about tools added and removed since the last announcement. It is appended
 * to the conversation, so that nothing sent before has to change. Empty if nothing changed.
 */
export function announceChanges(
  arrived: readonly Tool[],
  gone: readonly string[],
  options: ListingOptions,
): string {
  if (options.style === 'none') return ''
  const parts: string[] = []
  if (arrived.length > 0)
    parts.push(`New tools available through search:\n${formatToolList(arrived, options)}`)
  if (gone.length > 0) parts.push(`No longer available:\n${goneList(gone)}`)
  return parts.join('\n\n')
}

const MAX_GONE = 50

function goneList(gone: readonly string[]): string {
  const lines = [...gone]
    .sort()
    .slice(0, MAX_GONE)
    .map((name) => `- ${cutText(name, 128)}`)
  if (gone.length > MAX_GONE) lines.push(`- and ${gone.length - MAX_GONE} more`)
  return lines.join('\n')
}
