import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { vector } from '@electric-sql/pglite-pgvector'
import { createEngineSearch } from 'toolsearch/engines'
import { postgresEngine } from 'toolsearch/postgres'
import { hybridRanker } from 'toolsearch/rankers'
import { loadStaticEmbedder } from 'toolsearch-semantics'

const vectors = loadStaticEmbedder()
const database = new PGlite({ extensions: { pg_trgm, vector } })
const search = createEngineSearch({
  engine: postgresEngine({ pool: database, vectors }),
  ranker: () => hybridRanker({ vectors }),
})
await search.engine.put([
  { name: 'request_leave', description: 'Ask for days off' },
  { name: 'send_invoice', description: 'Bill a customer' },
])
const { hits, candidates } = await search.search('I want to go on holiday')
console.log([...hits, ...candidates][0]?.tool.name)
await database.close()
