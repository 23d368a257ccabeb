import { explainTool } from '../inspection/explain-tool.ts'
import { createSavedQueries, savedQueriesFile } from '../inspection/saved-queries.ts'
import type { OpenGateway } from '../open-gateway.ts'
import { chosenSearch } from './chosen-search.ts'
import { type Command, NOT_WELL, OK, type Terminal } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { paint } from './paint.ts'
import { plain } from './plain.ts'
import { UsageError } from './usage-error.ts'
import { withGateway } from './with-gateway.ts'

export const searchCommand: Command = {
  name: 'search',
  summary: 'finds tools, as an agent would',
  usage: 'QUERY [options]',
  options: {
    ...commonOptions,
    explain: { type: 'boolean' },
    limit: { type: 'string', short: 'n' },
    ranker: { type: 'string' },
    save: { type: 'string' },
    why: { type: 'string' },
  },
  help: [
    ...commonHelp,
    '--explain          say what each score is made of, and what just missed',
    '-n, --limit N      how many at most; 5 if left out',
    '--ranker ID        another way to rank than the one that serves: unified, hybrid, bm25, …',
    '--why TOOL         say what becomes of that tool, and why',
    '--save TOOL        keep the query with its right answer for toolsearch eval; a,b for several',
  ],
  examples: [
    'toolsearch search "create an issue"',
    'toolsearch search "+github comment" --explain',
    'toolsearch search "open a bug" --why github__create_issue',
    'toolsearch search "open a bug" --save github__create_issue',
  ],
  async run(call) {
    const { values, words, terminal } = call
    const query = words.join(' ')
    if (query.trim() === '')
      throw new UsageError('Say what to search for: toolsearch search QUERY.')
    const limit = Number(values.limit ?? 5)
    if (!Number.isInteger(limit) || limit < 1) {
      throw new UsageError(`--limit is "${values.limit}"; give a whole number from 1 up.`)
    }
    return withGateway(call, async (open) => {
      const { gateway, config } = open
      const toolSearch = await chosenSearch(gateway, values.ranker)
      if (typeof values.save === 'string') await save(open, query, values.save, terminal)
      const explain = values.explain === true
      const changed = new Set(gateway.changedTools())
      const outcome = toolSearch.search(query, {
        limit,
        explain,
        ...(explain && { nearMisses: 5 }),
      })
      const { nearMisses = [] } = outcome
      const why =
        typeof values.why === 'string' &&
        explainTool(
          { gateway, config: () => config },
          { query, tool: values.why, limit, toolSearch },
        )
      if (values.json) {
        const data = { ...outcome, ...(why && { why }) }
        terminal.print(JSON.stringify(data, null, 2))
      } else {
        for (const { tool, score, parts = [] } of outcome.hits) {
          const [line = ''] = tool.description.split('\n')
          const sign = changed.has(tool.name) ? paint(terminal, 'yellow', '  changed') : ''
          terminal.print(
            `${(score ?? 0).toFixed(2).padStart(6)}  ${paint(terminal, 'bold', tool.name)}${sign}`,
          )
          terminal.print(`        ${plain(line).slice(0, Math.max(20, terminal.width - 8))}`)
          for (const { term, found = term, field, match, weight } of parts) {
            const how = term === found ? match : `${match} of ${term}`
            terminal.print(
              `        ${weight.toFixed(2).padStart(6)}  ${found} in ${field} (${how})`,
            )
          }
        }
        if (outcome.hits.length === 0) terminal.say('No tool fits.')
        if (nearMisses.length > 0) terminal.print('\nJust missed:')
        for (const { text } of nearMisses) terminal.print(`        ${text}`)
        if (why) terminal.print(`\n${why.text}`)
      }
      return outcome.hits.length > 0 ? OK : NOT_WELL
    })
  },
}

async function save(
  { gateway, file }: OpenGateway,
  query: string,
  names: string,
  terminal: Terminal,
): Promise<void> {
  const relevant = names.split(',').map((name) => name.trim())
  const { catalogue } = gateway.toolSearch
  const unknown = relevant.filter((name) => !catalogue.has(name))
  if (unknown.length > 0) {
    throw new UsageError(`There is no tool "${unknown.join('", "')}" to save as the right answer.`)
  }
  const saved = createSavedQueries(savedQueriesFile(file))
  await saved.save({ query, relevant })
  terminal.say(`Saved in ${saved.file}`)
}
