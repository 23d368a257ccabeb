import { createToolSearch } from 'toolsearch'

const toolSearch = createToolSearch({
  tools: [
    { name: 'git_log', description: 'Show the commits of a branch' },
    { name: 'git_tag', description: 'Mark a commit with a version' },
    { name: 'send_mail', description: 'Send an email' },
    {
      name: 'publish-release',
      description: 'How to publish a new version of the product',
      skill: {
        instructions: '1. Read git_log since the last tag.\n2. Call git_tag with the new version.',
        tools: ['git_log', 'git_tag'],
      },
    },
  ],
})

const session = await toolSearch.session('conversation-1')
const { outcome, answer } = await session.search({ query: 'publish a new version' })
console.log(outcome.hits.map(({ tool, status }) => `${tool.name}: ${status}`))
console.log(JSON.parse(answer.text).skills[0].instructions)
