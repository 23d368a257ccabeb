import { createToolSearch, nexo } from 'toolsearch'

const toolSearch = createToolSearch({
  preset: nexo,
  tools: [
    { name: 'Bash', description: 'Run a command' }, // always sent
    { name: 'Lsp', searchHint: 'language server', loading: 'deferred' },
    { name: 'mcp__slack__send', description: 'Send a message', loading: 'deferred' },
  ],
})
const { hits } = toolSearch.search('+slack send')
console.log(hits.map(({ tool, score }) => [tool.name, score]))
