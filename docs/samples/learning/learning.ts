import { createToolSearch } from 'toolsearch'
import { createFileLearningStore } from 'toolsearch/file-store'
import { createLearning } from 'toolsearch/learning'

const learning = createLearning({ store: createFileLearningStore({ folder: 'learned' }) })
const toolSearch = createToolSearch({
  tools: [
    { name: 'create_refund', description: 'Refund a charge', execute: () => 'refunded' },
    { name: 'send_mail', description: 'Send a message to a person', execute: () => 'sent' },
  ],
  activation: 'always',
  learning,
})

// Ada's agent searches in her words, finds nothing, searches again and calls the tool.
const session = await toolSearch.session('chat-1', { person: 'ada' })
await session.run({ name: 'tool_search', arguments: { query: 'give the money back' } })
await session.run({ name: 'tool_search', arguments: { query: 'refund' } })
await session.run({ name: 'create_refund', arguments: {} })

// From now on, similar words find it.
console.log(toolSearch.explain('money back please', 'create_refund', { person: 'ada' }).text)

for (const { tool, words } of await learning.uses()) console.log(`${tool}: ${words}`)
await learning.forget({ person: 'ada' })
