import type { McpTool } from '../protocol/mcp-tool.ts'

const MAX_WORD = 20

/** Words of tool names that say what a tool does, not what it works on. */
const ACTIONS = new Set(
  `add all analyze append apply archive assign attach batch bulk by call cancel check clear clone
  close complete confirm connect convert copy count create current data debug delete deploy describe
  detach details disable download duplicate edit enable end execute export fetch fill find for from
  generate get handle has id import in info information init insert inspect install into invoke item
  items kill launch list load lock logout login make manage mark merge modify move multiple new of on
  open patch pause ping post preview publish put query read record refresh release remove rename
  render reorder replace reply reset resolve restart restore resume retry return review revoke run
  save schedule search select send set setup share show start status stop store submit subscribe
  switch sync tag take test the to toggle tool transfer trigger type unlock unsubscribe update upload
  upsert use validate value verify view wait watch with write`.split(/\s+/),
)

/**
 * What the tools of a server are about: the things in their names, most frequent first. Single words
 * of letters only, so that a server cannot write sentences into the prompt.
 *
 * @param server the name of the server, which says nothing new
 */
export function toolTopics(tools: readonly McpTool[], server: string): string[] {
  const own = new Set(wordsOf(server).map(singular))
  const topics = new Map<string, { word: string; count: number }>()
  for (const { name } of tools) {
    for (const word of new Set(wordsOf(name))) {
      const key = singular(word)
      if (ACTIONS.has(word) || ACTIONS.has(key) || own.has(key)) continue
      const count = topics.get(key)?.count ?? 0
      topics.set(key, { word: topics.get(key)?.word ?? word, count: count + 1 })
    }
  }
  return [...topics.values()].sort((a, b) => b.count - a.count).map(({ word }) => word)
}

function wordsOf(name: string): string[] {
  const words =
    name
      .replace(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return words.filter((word) => word.length > 2 && word.length <= MAX_WORD)
}

function singular(word: string): string {
  if (/(?:ss|us|is|os)$/.test(word)) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  if (/(?:ches|shes|xes|sses)$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') ? word.slice(0, -1) : word
}
