import { readFile } from 'node:fs/promises'
import { createToolSearch } from 'toolsearch'

const inputSchema = {
  type: 'object',
  properties: { path: { type: 'string' } },
  required: ['path'],
}
const toolSearch = createToolSearch({
  tools: [
    {
      name: 'read_file',
      inputSchema,
      execute: ({ path }, { signal }) => readFile(String(path), { encoding: 'utf8', signal }),
    },
    { name: 'open_file', inputSchema }, // no execute: your program opens files itself
  ],
})
const session = await toolSearch.session('chat-42')
await session.turn()

const calls = [
  { id: 'call_1', name: 'read_file', arguments: { path: 'notes.txt' } },
  { id: 'call_2', name: 'read_file', arguments: {} },
  { id: 'call_3', name: 'open_file', arguments: { path: 'notes.txt' } },
]
for (const result of await session.run(calls, { signal: AbortSignal.timeout(60_000) })) {
  if (result.kind === 'run') console.log(result.id, 'run', result.tool.name, result.arguments)
  else console.log(result.id, result.kind, result.isError ? 'error' : result.text.trim())
}
