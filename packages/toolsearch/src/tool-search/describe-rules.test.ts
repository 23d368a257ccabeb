import { expect, it } from 'vitest'
import { createToolSearch } from '../toolsearch.ts'

const toolSearch = createToolSearch({
  tools: [
    { name: 'find_flights', description: 'Find flights between two cities' },
    { name: 'send_mail', description: 'Send a mail to a colleague' },
    { name: 'create_spreadsheet', description: 'Create a spreadsheet with rows' },
  ],
})
const query =
  'Find the flights between the two cities, mail them to a colleague, and save them to list.xlsx'

it('names the rules that changed an explained search', () => {
  const { rules } = toolSearch.search(query, { explain: true })
  expect(rules).toEqual([
    'The file "list.xlsx" counts as the need "create spreadsheet".',
    expect.stringContaining('"mail them to a colleague"'),
  ])
})

it('names none for a plain search or a query that no rule applies to', () => {
  expect(toolSearch.search(query)).not.toHaveProperty('rules')
  expect(toolSearch.search('send mail', { explain: true })).not.toHaveProperty('rules')
})

it('returns the best tool for each need, however low its score', () => {
  const { hits } = toolSearch.search(query)
  expect(hits.map(({ tool }) => tool.name).sort()).toEqual([
    'create_spreadsheet',
    'find_flights',
    'send_mail',
  ])
})
