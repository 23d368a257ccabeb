import { createToolSearch } from 'toolsearch'
import { createRemoteVectors, endpointEmbedder, hybridRanker } from 'toolsearch/rankers'

const embedder = endpointEmbedder({
  baseUrl: 'http://127.0.0.1:11434/v1', // Ollama
  model: 'nomic-embed-text',
  dimensions: 768,
})
const vectors = createRemoteVectors({ embedder, timeoutMs: 500, onError: console.warn })
const toolSearch = createToolSearch({
  tools: [{ name: 'refund_payment', description: 'Return a payment to the customer' }],
  ranker: () => hybridRanker({ vectors }),
})
const session = await toolSearch.session('chat-42')
const { outcome } = await session.search({ query: 'give the money back' }) // waits for the vectors
console.log(outcome.hits.map((hit) => hit.tool.name))
