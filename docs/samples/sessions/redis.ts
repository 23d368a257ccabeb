import { createClient } from '@redis/client'
import { createToolSearch } from 'toolsearch'
import { redisStore } from 'toolsearch/redis'

const client = createClient({ url: process.env.REDIS_URL ?? 'redis://localhost' })
await client.connect()

const toolSearch = createToolSearch({
  tools: [{ name: 'read_file', description: 'Read a file' }],
  activation: 'always',
  store: redisStore({ client, keyPrefix: 'my-agent:' }),
})
const session = await toolSearch.session('chat-42') // in any process
await session.answer({ name: 'tool_search', arguments: { query: 'read a file' } })
console.log(session.loaded)
client.destroy()
