import { createToolSearch, everruns } from 'toolsearch'

const toolSearch = createToolSearch({
  preset: everruns,
  activation: { toolCount: 30, of: 'all' }, // everruns' config key "threshold"
  tools: [{ name: 'bash', description: 'Run a command', loading: 'eager' }], // policy "never"
})
const { searchTool } = await toolSearch.session('chat-42')
console.log(searchTool.title, searchTool.annotations)
