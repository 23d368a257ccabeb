import type { Tool } from '../catalogue/tool.ts'
import { splitIdentifier } from '../words/split-identifier.ts'
import { serverKeys, withoutServer } from './name-index.ts'
import { nameKey } from './name-key.ts'
import type { SearchView } from './search-view.ts'

/** Where in an identifier its server can end: after a separator, or before a capital letter. */
const BOUNDARY = /[_./:-]+|(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu
const MAX_BOUNDARIES = 16
/** Names have at most 128 characters, and their server adds some. */
const MAX_LENGTH = 300
const NONE: readonly Tool[] = []

/** Looks up names in any spelling. Remembers what it found, because words of a query repeat. */
export interface SpelledTools {
  /** The tools with this name, the most similar spelling first. */
  find(spelling: string): readonly Tool[]
  /** The tools of `github` named `create_issue` for `github.create_issue` or `githubCreateIssue`. */
  findQualified(spelling: string): readonly Tool[]
  /** The tools whose names have these words as parts: "search graph" is `search_graph`. */
  findPhrase(phrase: string): readonly Tool[]
}

/** Puts tools first whose server, given by its keys, the query names. */
export function spelledTools(
  { spelled }: Pick<SearchView, 'spelled'>,
  isServerNamed: (key: string) => boolean,
): SpelledTools {
  const ordered = new Map<string, readonly Tool[]>()

  return {
    find(spelling) {
      const tools = ordered.get(spelling) ?? inOrder(spelling, lookUp(spelling))
      ordered.set(spelling, tools)
      return tools
    },
    findQualified(spelling) {
      const boundaries = spelling.length > MAX_LENGTH ? [] : [...spelling.matchAll(BOUNDARY)]
      for (const { 0: separator, index } of boundaries.slice(0, MAX_BOUNDARIES)) {
        const server = nameKey(spelling.slice(0, index))
        const servers = [server, server.replace(/^mcp/, '')]
        const name = spelling.slice(index + separator.length)
        const tools = lookUp(name).filter((tool) =>
          serverKeys(tool).some((key) => servers.includes(key)),
        )
        if (tools.length > 0) return inOrder(name, tools)
      }
      return []
    },
    findPhrase(phrase) {
      const tools = lookUp(phrase)
      if (tools.length === 0) return tools
      const words = phrase.split(/\s+/)
      return inOrder(
        phrase,
        tools.filter(({ name }) => isAligned(words, withoutServer(name))),
      )
    },
  }

  function lookUp(spelling: string): readonly Tool[] {
    if (spelling.length < 2 || spelling.length > MAX_LENGTH) return NONE
    return spelled?.(spelling) ?? NONE
  }

  /** Tools of named servers first, then those with exactly this spelling, then with its parts. */
  function inOrder(spelling: string, tools: readonly Tool[]): readonly Tool[] {
    if (tools.length < 2) return tools
    const parts = splitIdentifier(spelling)
    const places = new Map(tools.map((tool) => [tool, placeOf(tool)]))
    return [...tools].sort((a, b) => places.get(a)! - places.get(b)!)

    function placeOf(tool: Tool): number {
      const name = withoutServer(tool.name)
      const distance = name === spelling ? 0 : isAligned(parts, name) ? 1 : 2
      return serverKeys(tool).some(isServerNamed) ? distance : distance + 3
    }
  }
}

/** Whether each word is one or several whole parts of the name: "github issue" of `GitHub_issue`. */
function isAligned(words: readonly string[], name: string): boolean {
  const parts = splitIdentifier(name).map((part) => part.toLowerCase())
  let at = 0
  return words.every((word) => {
    const wanted = word.toLowerCase()
    let joined = ''
    while (joined.length < wanted.length && at < parts.length) joined += parts[at++]
    return joined === wanted
  })
}
