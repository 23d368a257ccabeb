import { hashText } from '../catalogue/hash-text.ts'
import type { Tool } from '../catalogue/tool.ts'
import { CALL_TOOL_NAME } from '../tool-search/call-tool.ts'

/** Names as they travel and as they are. Most are the same. */
export interface ProviderNames {
  toProvider(name: string): string
  fromProvider(name: string): string
  /** The same for whole texts, such as search results and queries. */
  textToProvider(text: string): string
  textFromWire(text: string): string
}

/**
 * A name that a provider refuses travels as one that every provider accepts: what can stay of it and
 * a hash of the whole. It depends on the name alone, so that it is the same in every request and
 * with every provider, and a history can move from one to another.
 */
export function createProviderNames(tools: readonly Tool[], accepts: RegExp): ProviderNames {
  const renamed = new Map<string, string>()
  const original = new Map<string, string>()
  for (const { name } of tools) {
    // a call of this name is taken for one of our bridge
    const isOurs = name === CALL_TOOL_NAME
    if (isOurs || !EVERYWHERE.test(name)) original.set(safeName(name), name)
    if (isOurs || !accepts.test(name)) renamed.set(name, safeName(name))
  }
  // a tool that really has such a name is meant by it
  for (const { name } of tools) original.delete(name)
  const toProvider = (name: string) => renamed.get(name) ?? name
  const fromProvider = (name: string) => original.get(name) ?? name
  return {
    toProvider,
    fromProvider,
    textToProvider: replacer(renamed),
    textFromWire: replacer(original),
  }
}

const EVERYWHERE = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/

const HASH_LENGTH = 8

function safeName(name: string): string {
  const readable = name.replace(/[^a-zA-Z0-9_-]+/g, '_').replace(/^(?![a-zA-Z_])/, '_')
  const hash = hashText(name).slice(0, HASH_LENGTH)
  return `${readable.slice(0, 63 - HASH_LENGTH)}_${hash}`
}

/** Replaces names that stand alone, not the same letters within a word or a sentence. */
function replacer(names: ReadonlyMap<string, string>): (text: string) => string {
  if (names.size === 0) return (text) => text
  // the longest first: one name may begin with another
  const alternatives = [...names.keys()]
    .sort((a, b) => b.length - a.length)
    .map((name) => name.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&'))
    .join('|')
  const pattern = new RegExp(`(?<![^\\s"'\`,:(])(?:${alternatives})(?![^\\s"'\`,:.;)])`, 'g')
  return (text) => text.replace(pattern, (name) => names.get(name)!)
}
