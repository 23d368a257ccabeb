import { Ajv2020 } from 'ajv/dist/2020.js'
import { createToolSearch } from 'toolsearch'

const ajv = new Ajv2020({ strict: false, allErrors: true })
const toolSearch = createToolSearch({
  tools: [
    { name: 'wait', inputSchema: { type: 'object', properties: { seconds: { maximum: 60 } } } },
  ],
  validate: (schema, value) => (ajv.validate(schema, value) ? [] : ajv.errorsText().split(', ')),
})
const session = await toolSearch.session('chat-42')
await session.turn()
const result = await session.answer({ name: 'wait', arguments: { seconds: 100 } })
console.log(result.kind === 'answered' && result.data)
