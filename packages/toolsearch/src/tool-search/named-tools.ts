import type { Tool } from '../catalogue/tool.ts'
import { trimEdges } from '../query/trim-edges.ts'

/** The tools whose exact names a query contains, each once, in the order of the query. */
export interface NamedTools {
  /**
   * Their names cannot be mistaken for ordinary words: `search_graph`, `WebFetch`, `list-v2`, or a
   * word in quotes or with the parentheses of a call.
   */
  readonly distinctive: readonly Tool[]
  /** Their names are ordinary words, such as `search`, so the query may not be about them. */
  readonly plain: readonly Tool[]
  /** Whether the query consists of distinctive names only. */
  readonly isOnlyNames: boolean
}

/** Names with spaces are recognised up to this number of words. */
const MAX_WORDS = 4
const EDGE = /[\s"'`[\](){}<>,;:.!?*+]/
const NOT_IN_NAMES = /[^\p{L}\p{M}\p{N}_./:-]+/u
const SEPARATORS = /[./:]+/
/** Quotes around a word, or the parentheses of a call after it. */
const MARKED = /^\W?(["'`*]).+\1\W*$|\(\)\W*$/
const MAX_MARKED_LENGTH = 150
const LETTER = /[\p{L}\p{N}]/u

/**
 * Looks up the words of a query as tool names. Ignores quotes, brackets, punctuation and the
 * parentheses of a call around a name. Needs a few calls of `get` per word, however many tools exist.
 */
export function namedTools(text: string, get: (name: string) => Tool | undefined): NamedTools {
  const found = new Set<Tool>()
  const marked = new Set<Tool>()
  let isOnlyNames = true
  const words = [...text.matchAll(/\S+/gu)].map(({ 0: word, index }) => ({
    word,
    from: index,
    to: index + word.length,
  }))
  for (let at = 0; at < words.length; at++) {
    const extra = phraseAt(at)
    if (extra > 0) at += extra
    else if (!readWord(words[at]!.word)) isOnlyNames = false
  }
  const tools = [...found]
  const isCertain = (tool: Tool) => marked.has(tool) || isDistinctive(tool)
  const distinctive = tools.filter(isCertain)
  const plain = tools.filter((tool) => !isCertain(tool))
  return { distinctive, plain, isOnlyNames: isOnlyNames && found.size > 0 && plain.length === 0 }

  /** Adds a tool whose name has several words. Returns how many words follow the first one. */
  function phraseAt(at: number): number {
    for (let extra = Math.min(MAX_WORDS, words.length - at) - 1; extra > 0; extra--) {
      const phrase = text.slice(words[at]!.from, words[at + extra]!.to)
      if (add(get(phrase)) || add(get(trimEdges(phrase, EDGE)))) return extra
    }
    return 0
  }

  /** Returns whether the word consists of names only. */
  function readWord(word: string): boolean {
    const tool = get(word) ?? get(trimEdges(word, EDGE))
    if (tool) {
      if (word.length <= MAX_MARKED_LENGTH && MARKED.test(word)) marked.add(tool)
      return add(tool)
    }
    // `a_b,c_d`, `a_b(x)`, `tool=a_b`, and in the second step `server/a_b`
    let isOnly = true
    for (const part of partsOf(word, NOT_IN_NAMES)) {
      if (!addDistinctive(part)) {
        isOnly = false
        for (const piece of partsOf(part, SEPARATORS)) addDistinctive(piece)
      }
    }
    return isOnly
  }

  /** Part of a word is a name only if it cannot be anything else: "don't" does not name `t`. */
  function addDistinctive(name: string): boolean {
    const tool = get(name) ?? get(trimEdges(name, EDGE))
    return tool !== undefined && isDistinctive(tool) && add(tool)
  }

  function add(tool: Tool | undefined): boolean {
    if (tool) found.add(tool)
    return tool !== undefined
  }
}

function partsOf(word: string, separator: RegExp): string[] {
  return word.split(separator).filter((part) => LETTER.test(part))
}

/** Whether a name contains anything but letters, or a capital letter after a small one. */
function isDistinctive({ name }: Tool): boolean {
  return /[^\p{L}\p{M}]|\p{Ll}\p{Lu}/u.test(name)
}
