import MiniSearch from 'minisearch'
import { STOP_WORDS } from '../../packages/toolsearch/src/words/stop-words.ts'
import { type Engine, LIMIT } from './engine.ts'
import { BOOSTS, FIELD_KINDS, type PeerDocument, peerDocument } from './peer-document.ts'

/** MiniSearch with our fields, boosts and stop words, and its default of matching whole words. */
export const minisearchEngine: Engine = {
  name: 'MiniSearch',
  side: 'peer',
  build(tools) {
    const index = new MiniSearch<PeerDocument>({
      fields: FIELD_KINDS,
      processTerm: dropStopWords,
      searchOptions: { boost: BOOSTS },
    })
    for (const tool of tools) index.add(peerDocument(tool))
    return {
      add: (tool) => index.add(peerDocument(tool)),
      remove: (tool) => index.remove(peerDocument(tool)),
      search: (query) =>
        index
          .search(query)
          .slice(0, LIMIT)
          .map(({ id }) => id as string),
    }
  },
}

function dropStopWords(term: string): string | null {
  const lower = term.toLowerCase()
  return STOP_WORDS.has(lower) ? null : lower
}
