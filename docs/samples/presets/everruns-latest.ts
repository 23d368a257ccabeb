import { createToolSearch, everrunsLatest } from 'toolsearch'

const toolSearch = createToolSearch({
  preset: everrunsLatest,
  deferral: { alwaysOn: ['write_todos'] }, // everruns' never_defer
  tools: [{ name: 'read_file' }, { name: 'read_file_lines' }],
})
console.log(toolSearch.search('read_file').hits.map((hit) => hit.tool.name))
