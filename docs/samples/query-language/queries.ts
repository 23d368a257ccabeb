import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch()
toolSearch.catalogue.sync('mcp:github', [
  { name: 'create_issue', description: 'Open a bug report' },
  { name: 'list_issues', description: 'List open bug reports' },
])
toolSearch.catalogue.sync('mcp:tracker', [
  { name: 'create_ticket', description: 'Open a bug report' },
  { name: 'search_tickets', description: 'Find tickets by text' },
])

for (const query of [
  'open a bug report',
  '+github bug report',
  'select:create_ticket,list_issues',
  'use search_tickets to find a ticket',
  'github.createIssue and SEARCH-TICKETS',
]) {
  const { hits } = toolSearch.search(query)
  console.log(`${query}: ${hits.map((hit) => hit.tool.name).join(', ')}`)
}
