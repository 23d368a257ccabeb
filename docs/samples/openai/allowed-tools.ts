import OpenAI from 'openai'
import { createToolSearch } from 'toolsearch'
import { allowedTools, openai } from 'toolsearch/openai'

const toolSearch = createToolSearch({
  tools: [
    { name: 'read_file', description: 'Read a file' },
    { name: 'write_file', description: 'Write a file' },
  ],
})
const model = 'gpt-5.4'
const adapter = openai<OpenAI.Responses.ResponseInputItem>(await toolSearch.session('chat-42'))

const request = await adapter.request({
  messages: [{ role: 'user', content: 'What is in a.txt?' }],
})
const tool_choice = allowedTools(request, ['read_file']) // undefined if the request lists none of them
await new OpenAI().responses.create({ model, ...request, ...(tool_choice && { tool_choice }) })
