import pg from 'pg'
import { createEngineSearch } from 'toolsearch/engines'
import { postgresEngine } from 'toolsearch/postgres'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })
// Without a listener, a connection that the server closes would end the process.
pool.on('error', (error) => console.error(error.message))

const search = createEngineSearch({ engine: postgresEngine({ pool }) })
await search.engine.sync('mcp:github', [
  { name: 'mcp__github__create_issue', description: 'Create an issue in a repository' },
  { name: 'mcp__github__list_issues', description: 'List the issues of a repository' },
])

const { hits } = await search.search('create an issue')
console.log(hits.map(({ tool }) => tool.name))

const session = await search.session('chat-42')
await session.search({ query: 'create an issue' })
console.log((await session.turn()).tools.map(({ name }) => name))
await pool.end()
