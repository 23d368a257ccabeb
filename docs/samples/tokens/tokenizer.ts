import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [{ name: 'read_file', description: 'Read a file' }],
  countTokens: (text) => countTokens(text),
})
const session = await toolSearch.session('chat-42')
console.log(session.report(await session.turn()).sent)
