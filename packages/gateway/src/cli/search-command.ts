import { type Command, cachedHelp, cachedOptions, rankerHelp, rankerOption } from './command.ts'
import { UsageError } from './command-errors.ts'
import { readCount } from './read-count.ts'

export const searchCommand: Command = {
  name: 'search',
  summary: 'Search for tools as an agent would',
  usage: 'QUERY [options]',
  options: {
    ...cachedOptions,
    ...rankerOption,
    explain: { type: 'boolean' },
    limit: { type: 'string', short: 'n' },
    save: { type: 'string' },
    why: { type: 'string' },
  },
  help: [
    ...cachedHelp,
    '--explain          show how each score is made up, and near misses',
    '-n, --limit N      maximum number of results (default: 5)',
    rankerHelp,
    '--why TOOL         explain why the search does or does not return TOOL',
    '--save TOOL        save the query with TOOL as its expected result, for toolsearch eval;',
    '                   separate several tools with commas',
  ],
  examples: [
    'toolsearch search "create an issue"',
    'toolsearch search "+github comment" --explain',
    'toolsearch search "open a bug" --why github__create_issue',
    'toolsearch search "open a bug" --save github__create_issue',
  ],
  async run(call) {
    const query = call.args.join(' ')
    if (query.trim() === '') throw new UsageError('Specify a query: toolsearch search QUERY.')
    const limit = readCount(call.values.limit, { option: '--limit', fallback: 5, min: 1 })
    const { runSearch } = await import('./run-search.ts')
    return runSearch(call, { query, limit })
  },
}
