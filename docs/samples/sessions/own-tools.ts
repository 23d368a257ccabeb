import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [{ name: 'send_mail', description: 'Send an email' }],
})
const session = await toolSearch.session('chat-42', {
  tools: [{ name: 'acme_orders', description: 'List the orders of Acme' }],
})
session.catalogue.sync('mcp:crm', [{ name: 'find_customer', description: 'Find a customer' }])

console.log(session.tools().map((tool) => tool.name))
const other = await toolSearch.session('chat-43')
console.log(other.tools().map((tool) => tool.name))
