import type { SearchHit } from 'toolsearch'
import type { SearchReport } from '../inspection/api.ts'
import { createSavedQueries, savedQueriesFile } from '../inspection/saved-queries.ts'
import { searchReport, toolExplanation } from '../inspection/search-report.ts'
import type { GatewayInternals } from '../open-gateway.ts'
import { chooseRanker, rankerHelp, rankerOption } from './choose-ranker.ts'
import { type Command, commonHelp, commonOptions, FAILED, OK, type Terminal } from './command.ts'
import { paint } from './format.ts'
import { plain } from './plain.ts'
import { noSuchTools, UsageError } from './usage-error.ts'
import { waitForVectors } from './wait-for-vectors.ts'
import { withGateway } from './with-gateway.ts'

export const searchCommand: Command = {
  name: 'search',
  summary: 'Search for tools as an agent would',
  usage: 'QUERY [options]',
  options: {
    ...commonOptions,
    ...rankerOption,
    explain: { type: 'boolean' },
    limit: { type: 'string', short: 'n' },
    save: { type: 'string' },
    why: { type: 'string' },
  },
  help: [
    ...commonHelp,
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
    const { values, args, terminal } = call
    const query = args.join(' ')
    if (query.trim() === '') throw new UsageError('Specify a query: toolsearch search QUERY.')
    const limit = Number(values.limit ?? 5)
    if (!Number.isInteger(limit) || limit < 1) {
      throw new UsageError(`Invalid --limit "${values.limit}": use a whole number, 1 or more.`)
    }
    return withGateway(call, async (open) => {
      const { gateway } = open
      await waitForVectors(open, call)
      const search = await chooseRanker(gateway, values.ranker)
      if (typeof values.save === 'string') await save(open, query, values.save, terminal)
      const isExplained = values.explain === true
      const { report, outcome } = await searchReport(gateway, { query, limit, ...search })
      const why =
        typeof values.why === 'string' &&
        toolExplanation(
          { gateway },
          { query, tool: values.why, limit, toolSearch: search.toolSearch },
        )
      if (values.json) {
        const plainHit = ({ parts, ...hit }: SearchHit) => ({
          ...hit,
          ...(isExplained && { parts }),
        })
        // Nothing is loaded: the command only reports what a search finds.
        const hits = outcome.hits.map((hit) => ({ ...plainHit(hit), status: 'found' }))
        const { nearMisses, ...rest } = outcome
        const data = {
          ...rest,
          hits,
          candidates: outcome.candidates.map(plainHit),
          ...(isExplained && { nearMisses }),
          ...(why && { why }),
        }
        terminal.print(JSON.stringify(data, null, 2))
      } else {
        printReport(terminal, report, { isExplained, changed: gateway.changedTools() })
        if (why) terminal.print(`\n${why.text}`)
      }
      return report.hits.length > 0 ? OK : FAILED
    })
  },
}

function printReport(
  terminal: Terminal,
  { hits, candidates, suggestion, rules, nearMisses }: SearchReport,
  { isExplained, changed }: { isExplained: boolean; changed: readonly string[] },
): void {
  if (candidates.length > 0) {
    terminal.print('No sure match. An agent gets these names as candidates:')
  }
  for (const { name, summary, score, parts } of [...hits, ...candidates]) {
    const sign = changed.includes(name) ? paint(terminal, 'yellow', '  changed') : ''
    // a tool found by its name has no score
    const start = (score?.toFixed(2) ?? 'name').padStart(6)
    terminal.print(`${start}  ${paint(terminal, 'bold', name)}${sign}`)
    terminal.print(`        ${plain(summary).slice(0, Math.max(20, terminal.width - 8))}`)
    for (const part of isExplained ? parts : []) {
      const { term, found = term, field, match, weight, translatedFrom, need } = part
      const from = translatedFrom === undefined ? term : `"${translatedFrom}" → "${term}"`
      const what = from === found ? match : `${match} of ${from}`
      const how = need === undefined ? what : `${what}, for "${need}"`
      terminal.print(`        ${weight.toFixed(2).padStart(6)}  ${found} in ${field} (${how})`)
    }
  }
  if (suggestion !== undefined) terminal.say(`Suggested query: ${suggestion}`)
  if (hits.length + candidates.length === 0) terminal.say('No matching tools.')
  if (!isExplained) return
  if (rules.length > 0) terminal.print('')
  for (const rule of rules) terminal.print(plain(rule))
  if (nearMisses.length === 0) return
  terminal.print('\nNear misses:')
  for (const { text } of nearMisses) terminal.print(`        ${text}`)
}

async function save(
  { gateway, file }: GatewayInternals,
  query: string,
  names: string,
  terminal: Terminal,
): Promise<void> {
  const relevant = names.split(',').map((name) => name.trim())
  const { catalogue } = gateway.toolSearch
  const unknown = relevant.filter((name) => !catalogue.has(name))
  if (unknown.length > 0) {
    throw new UsageError(`${noSuchTools(unknown)} The query was not saved.`)
  }
  const saved = createSavedQueries(savedQueriesFile(file))
  await saved.save({ query, relevant })
  terminal.say(`Saved in ${saved.file}`)
}
