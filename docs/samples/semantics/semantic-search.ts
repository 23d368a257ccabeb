import { createToolSearch } from 'toolsearch'
import { hybridRanker } from 'toolsearch/rankers'
import { loadStaticEmbedder } from 'toolsearch-semantics'

const vectors = await loadStaticEmbedder()
const toolSearch = createToolSearch({
  tools: [
    { name: 'refund_payment', description: 'Refund a payment to the customer' },
    { name: 'send_mail', description: 'Send an email' },
  ],
  ranker: () => hybridRanker({ vectors }),
})
console.log(toolSearch.search('return the money').hits.map((hit) => hit.tool.name))
