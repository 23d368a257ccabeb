import pg from 'pg'
import { createToolSearch } from 'toolsearch'
import { postgresStore } from 'toolsearch/postgres'

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL })

const toolSearch = createToolSearch({
  tools: [{ name: 'read_file', description: 'Read a file' }],
  activation: 'always',
  store: postgresStore({ pool }),
})
const session = await toolSearch.session('chat-42') // in any process
await session.answer({ name: 'tool_search', arguments: { query: 'read a file' } })
console.log(session.loaded)
await pool.end()
