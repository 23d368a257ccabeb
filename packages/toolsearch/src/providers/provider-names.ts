import { ACCEPTED_EVERYWHERE, safeName } from '../catalogue/safe-name.ts'
import type { Tool } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'
import { CALL_TOOL_NAME } from '../tool-search/call-tool.ts'

/** Translates tool names to the names a provider accepts, and back. Most names are the same. */
export interface ProviderNames {
  toProvider(name: string): string
  fromProvider(name: string): string
  /** Translates every tool name in a text, such as a search result. */
  textToProvider(text: string): string
  /** Translates every tool name in the input of a search. */
  inputFromProvider(input: unknown): unknown
}

/**
 * A name that a provider rejects is replaced by one that every provider accepts: its valid
 * characters followed by a hash of the full name. The replacement depends on the name alone, so it
 * is the same in every request and for every provider, and a history can move between providers.
 *
 * @param isTaken whether a tool outside the catalogue has this name
 */
export function createProviderNames(
  tools: readonly Pick<Tool, 'name'>[],
  accepts: RegExp,
  isTaken: (name: string) => boolean = () => false,
): ProviderNames {
  const renamed = new Map<string, string>()
  const original = new Map<string, string>()
  for (const { name } of tools) {
    // A call to this tool would be mistaken for a call to another one.
    const isReserved = name === CALL_TOOL_NAME || isTaken(name)
    if (isReserved || !ACCEPTED_EVERYWHERE.test(name)) original.set(safeName(name), name)
    if (isReserved || !accepts.test(name)) renamed.set(name, safeName(name))
  }
  // If a replacement is also the real name of another tool, it refers to that tool.
  for (const { name } of tools) original.delete(name)
  const textFromProvider = createReplacer(original)
  return {
    toProvider: (name) => renamed.get(name) ?? name,
    fromProvider: (name) => original.get(name) ?? name,
    textToProvider: createReplacer(renamed),
    inputFromProvider: (input) => mapTexts(input, textFromProvider),
  }
}

/** Replaces names that stand alone, not the same characters inside a longer word. */
function createReplacer(names: ReadonlyMap<string, string>): (text: string) => string {
  if (names.size === 0) return (text) => text
  // Longest first, because one name may be the prefix of another.
  const alternatives = [...names.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
    .join('|')
  const pattern = new RegExp(`(?<![^\\s"'\`,:(])(?:${alternatives})(?![^\\s"'\`,:.;)])`, 'g')
  return (text) => text.replace(pattern, (name) => names.get(name)!)
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, map)]))
}
