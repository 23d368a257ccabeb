import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [
    { name: 'create_issue', description: 'Open a bug report' },
    { name: 'list_issues', description: 'List the bug reports of a repository' },
    { name: 'send_mail', description: 'Send an email' },
  ],
})

const { hits, nearMisses } = toolSearch.search('open a bug', {
  limit: 1,
  explain: true,
  nearMisses: 5,
})
console.log(hits[0]?.tool.name, hits[0]?.parts) // why it matched: the weights add up to the score
console.log(nearMisses?.[0]?.text) // the highest-ranked tool that was not returned, and the reason
console.log(toolSearch.explain('open a bug', 'send_mail').text) // what happened to one tool
