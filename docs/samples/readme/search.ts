import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [
    { name: 'create_issue', description: 'Open a bug report in a repository' },
    { name: 'send_mail', description: 'Send an email, with attachments if needed' },
    { name: 'refund_payment', description: 'Return a payment to the customer' },
    { name: 'list_events', description: 'List the events of a calendar' },
  ],
})

for (const query of ['give a customer a refund', 'report a bug', 'bake a cake']) {
  const { hits } = toolSearch.search(query)
  console.log(`${query}: ${hits.map((hit) => hit.tool.name).join(', ') || 'no sure match'}`)
}
