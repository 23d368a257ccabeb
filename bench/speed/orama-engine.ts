import { create, insert, type Results, remove, search } from '@orama/orama'
import { STOP_WORDS } from '../../packages/toolsearch/src/words/stop-words.ts'
import { type Engine, LIMIT } from './engine.ts'
import { BOOSTS, type PeerDocument, peerDocument } from './peer-document.ts'

/**
 * Orama with our fields, boosts and stop words, and without its index for sorting. It also matches
 * prefixes; its only alternative (`exact`) requires all words of the query.
 */
export const oramaEngine: Engine = {
  name: 'Orama',
  side: 'peer',
  build(tools) {
    const index = create({
      schema: {
        name: 'string',
        source: 'string',
        hint: 'string',
        description: 'string',
        parameterName: 'string',
        parameterDescription: 'string',
      },
      sort: { enabled: false },
      components: { tokenizer: { stopWords: [...STOP_WORDS] } },
    })
    for (const tool of tools) insert(index, peerDocument(tool))
    return {
      add: (tool) => void insert(index, peerDocument(tool)),
      remove: (tool) => void remove(index, tool.name),
      search(term) {
        // Without hooks, Orama returns results synchronously, although its types allow a promise.
        const results = search(index, { term, limit: LIMIT, boost: BOOSTS })
        return (results as Results<PeerDocument>).hits.map(({ id }) => id)
      },
    }
  },
}
