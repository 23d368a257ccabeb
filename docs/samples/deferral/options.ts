import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  activation: 'auto:5', // defer once definitions fill 5% of the context window
  contextWindow: 200_000,
  deferral: { alwaysOn: ['read_file'], sources: { 'mcp:search': 'eager' } },
  announcement: { style: 'lines', budget: 3_000 },
})
console.log(toolSearch.preset.announcement)
