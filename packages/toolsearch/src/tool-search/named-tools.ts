import type { Tool } from '../catalogue/tool.ts'
import { withoutServer } from './name-index.ts'
import { isDistinctive, isIdentifier, isTelling } from './name-shape.ts'
import {
  areAdjacent,
  markOf,
  mentions,
  type QueryWord,
  queryWords,
  trimWord,
} from './query-words.ts'
import type { SearchView } from './search-view.ts'
import { spelledTools } from './spelled-tools.ts'

/** The tools whose names a query contains, in any spelling, each once, in the order of the query. */
export interface NamedTools {
  /**
   * The query cannot mean anything else: `search_graph`, `WebFetch`, `github.search`, or a word in
   * quotes or with the parentheses of a call.
   */
  readonly distinctive: readonly Tool[]
  /** Their names are ordinary words, such as "create issue", so the query may not be about them. */
  readonly plain: readonly Tool[]
  /** The plain ones whose names have several words, so that they are hardly there by accident. */
  readonly phrases: ReadonlySet<Tool>
  /** Whether the query consists of distinctive names only. */
  readonly isOnlyNames: boolean
  /** The words of the query that are distinctive names, in lower case. */
  readonly words: ReadonlySet<string>
}

/** Names that contain spaces are recognised up to this number of words. */
const MAX_EXACT_WORDS = 4
/** Names of which each part is a word of the query are recognised up to this number of words. */
const MAX_WORDS = 6
/** In a longer query, an ordinary word is rarely the name of a tool. */
const MAX_SHORT = 3
/** How many tools of one name are returned for a distinctive name, and for ordinary words. */
const MAX_TOOLS = 20
const MAX_PLAIN_TOOLS = 3
const BEFORE_NAME = new Set(['use', 'using', 'call', 'calling', 'invoke', 'run', 'tool', 'named'])
const AFTER_NAME = new Set(['tool', 'tools', 'function'])
const TOKEN = /[\p{L}\p{M}\p{N}_./:-]+/gu
const TOKEN_EDGES = /^[./:-]+|[./:-]+$/g
const PATH = /[/:]/
const PIECE = /(?:(?!__)[^./:])+/gu
/** A name of several pieces is looked for only in a token of up to this length. */
const MAX_JOINED = 300
const MAX_PIECES = 4
/** Text in these scripts has no spaces around a name. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}]/u
const ASCII_NAME = /[A-Za-z0-9_./:-]+/g
const LETTER = /[\p{L}\p{N}]/u

/**
 * Finds the tools that a query names. Ignores quotes, brackets, punctuation and the parentheses of a
 * call around a name. Needs a few lookups per word, however many tools exist.
 */
export function namedTools(text: string, view: Pick<SearchView, 'get' | 'spelled'>): NamedTools {
  const words = queryWords(text)
  const spellings = spelledTools(view, mentions(text, words))
  const certain: (readonly Tool[])[] = []
  const likely: (readonly Tool[])[] = []
  const phrases = new Set<Tool>()
  const names = new Set<string>()
  let isOnlyNames = true
  for (let at = 0; at < words.length; at++) {
    const length = exactPhrase(at) || nameAt(words[at]!) || spelledPhrase(at)
    if (length > 0) at += length - 1
    else if (!plainWord(at)) isOnlyNames = false
  }
  const distinctive = inTurns(certain)
  const first = new Set(distinctive)
  const plain = inTurns(likely).filter((tool) => !first.has(tool))
  isOnlyNames &&= distinctive.length > 0 && plain.length === 0
  return { distinctive, plain, phrases, isOnlyNames, words: names }

  /** Reads a name that contains spaces. Returns the number of its words. */
  function exactPhrase(at: number): number {
    for (let length = Math.min(MAX_EXACT_WORDS, words.length - at); length > 1; length--) {
      const { start, raw } = words[at + length - 1]!
      const phrase = text.slice(words[at]!.start, start + raw.length)
      const trimmed = trimWord(phrase)
      const tool = view.get(phrase) ?? (trimmed === phrase ? undefined : view.get(trimmed))
      if (tool && addCertain(phrase, [tool])) return length
    }
    return 0
  }

  function exactWord({ raw, core }: QueryWord): Tool | undefined {
    return view.get(raw) ?? (core === raw ? undefined : view.get(core))
  }

  /** Reads a word that is a distinctive name or contains some. Returns 0 if it does not. */
  function nameAt(word: QueryWord): 0 | 1 {
    const { core, from, isSimple } = word
    const exact = exactWord(word)
    if (exact && isDistinctive(exact.name) && addCertain(core, [exact])) return 1
    if (isSimple && !UNSPACED.test(core)) {
      return isIdentifier(core) && readIdentifier(core) ? 1 : 0
    }
    // `a_b,c_d`, `a_b(x)`, `tool=a_b`, `{"name":"a_b"}`
    const tokens = [...core.matchAll(TOKEN)].filter(({ 0: token }) => LETTER.test(token))
    let count = 0
    for (const { 0: token, index } of tokens) {
      const isName = isIdentifier(token) ? readToken(token) : readMarked(token, from + index)
      if (isName) count++
    }
    if (count < tokens.length) isOnlyNames = false
    return count > 0 || tokens.length === 0 ? 1 : 0
  }

  /** Returns whether the token is a name. Names that are only a part of it are added as well. */
  function readToken(token: string): boolean {
    const bare = token.replace(TOKEN_EDGES, '')
    if (readIdentifier(bare)) return true
    for (const run of UNSPACED.test(bare) ? (bare.match(ASCII_NAME) ?? []) : [bare]) readPieces(run)
    return false
  }

  /** Reads the names in `folder/a_b` and `object.a.b`, the longest first. */
  function readPieces(token: string): void {
    const pieces = [...token.matchAll(PIECE)]
    const most = token.length > MAX_JOINED ? 1 : MAX_PIECES
    for (let at = 0; at < pieces.length; at++) {
      for (let length = Math.min(most, pieces.length - at); length > 0; length--) {
        const last = pieces[at + length - 1]!
        const piece = token.slice(pieces[at]!.index, last.index + last[0].length)
        if (!isIdentifier(piece) || !readIdentifier(piece)) continue
        at += length - 1
        break
      }
    }
  }

  function readIdentifier(token: string): boolean {
    const exact = view.get(token)
    if (exact) return isDistinctive(token) && addCertain(token, [exact])
    // "check-in" and "import/export" are ordinary even if there is a tool named `check_in`
    const tools = isTelling(token) && !PATH.test(token) ? spellings.find(token) : []
    const spelled = tools.filter(({ name }) => isDistinctive(withoutServer(name)))
    return addCertain(token, spelled) || addCertain(token, spellings.findQualified(token))
  }

  /** Reads words that are the parts of a name, the longest name first. Returns their number. */
  function spelledPhrase(at: number): number {
    const { from } = words[at]!
    for (let length = adjacentWords(at); length > 1; length--) {
      const { to } = words[at + length - 1]!
      const phrase = text.slice(from, to)
      const tools = spellings.findPhrase(phrase)
      if (tools.length === 0 || !isTelling(phrase)) continue
      if (markOf(text, from, to) === 'code') addCertain(phrase, tools)
      else {
        addLikely(tools)
        for (const tool of tools) phrases.add(tool)
        isOnlyNames = false
      }
      return length
    }
    return 0
  }

  /** How many words from here on could be the parts of one name. */
  function adjacentWords(at: number): number {
    const isPart = (next: number) =>
      words[next]!.isSimple && (next === at || areAdjacent(text, words[next - 1]!, words[next]!))
    let end = at
    while (end < Math.min(words.length, at + MAX_WORDS) && isPart(end)) end++
    return end - at
  }

  /** Reads an ordinary word that can be a name. Returns whether the query marks it as one. */
  function plainWord(at: number): boolean {
    const { core, from } = words[at]!
    if (readMarked(core, from)) return true
    const isLikely =
      words.length <= MAX_SHORT ||
      BEFORE_NAME.has(words[at - 1]?.core.toLowerCase() ?? '') ||
      AFTER_NAME.has(words[at + 1]?.core.toLowerCase() ?? '')
    if (!isLikely) return false
    const exact = exactWord(words[at]!)
    addLikely(exact ? [exact] : spellings.find(core))
    return false
  }

  function readMarked(word: string, from: number): boolean {
    const mark = markOf(text, from, from + word.length)
    const exact = mark && view.get(word)
    if (exact) return addCertain(word, [exact])
    if (mark === 'code') return addCertain(word, spellings.find(word))
    if (mark === 'quoted') addLikely(spellings.find(word))
    return false
  }

  /** Hundreds of servers can have a tool named `search`: the ranking decides between them. */
  function addLikely(tools: readonly Tool[]): void {
    if (tools.length <= MAX_PLAIN_TOOLS) likely.push(tools)
  }

  function addCertain(word: string, tools: readonly Tool[]): boolean {
    if (tools.length === 0) return false
    certain.push(tools)
    names.add(word.toLowerCase())
    return true
  }
}

/** The first tool of each name, then the second ones, so that no name takes the place of another. */
function inTurns(names: readonly (readonly Tool[])[]): readonly Tool[] {
  const most = Math.min(MAX_TOOLS, Math.max(0, ...names.map((tools) => tools.length)))
  const turns = Array.from({ length: most }, (_, turn) =>
    names.flatMap((tools) => tools[turn] ?? []),
  )
  return [...new Set(turns.flat())]
}
