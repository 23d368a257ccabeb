import { createToolSearch } from 'toolsearch'
import { hybridRanker } from 'toolsearch/rankers'
import { loadEncoder } from 'toolsearch-encoder'
import { loadStaticEmbedder } from 'toolsearch-semantics'

const encoder = loadEncoder()
const table = loadStaticEmbedder()
const toolSearch = createToolSearch({
  tools: [
    { name: 'refund_payment', description: 'Return a charge to the card it was made with' },
    { name: 'rotate_image', description: 'Turn a picture by 90 degrees' },
    { name: 'list_invoices', description: 'Show all bills of an account' },
  ],
  ranker: () => hybridRanker({ vectors: [encoder, table] }),
})
const session = await toolSearch.session('conversation-1')

await encoder.settled() // only needed if the first search must not miss a tool
const { outcome } = await session.search({ query: 'give the customer their money back' })
console.log(outcome.hits[0]?.tool.name)
await encoder.close()
