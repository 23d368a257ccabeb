import type { SearchHit } from 'toolsearch'
import type { SearchReport } from '../inspection/api.ts'
import { createSavedQueries, savedQueriesFile } from '../inspection/saved-queries.ts'
import { searchReport, toolExplanation } from '../inspection/search-report.ts'
import type { GatewayInternals } from '../open-internals.ts'
import { approvalNotes } from './approval-notes.ts'
import { checkRanker, chooseRanker } from './choose-ranker.ts'
import { type CommandCall, FAILED, OK, type Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { paint, shorten } from './format.ts'
import { plain, plainJson } from './plain.ts'
import { unknownTools } from './unknown-tools.ts'
import { waitForVectors } from './wait-for-vectors.ts'
import { withGateway } from './with-gateway.ts'

export async function runSearch(
  call: CommandCall,
  { query, limit }: { readonly query: string; readonly limit: number },
): Promise<number> {
  const { values, terminal } = call
  await checkRanker(values.ranker)
  return withGateway(
    call,
    async (open) => {
      const { gateway } = open
      if (typeof values.why === 'string') {
        const unknown = unknownTools(gateway, [values.why], values.refresh === true)
        if (unknown) throw new UsageError(unknown)
      }
      await waitForVectors(open, call)
      const search = await chooseRanker(gateway, values.ranker)
      if (typeof values.save === 'string') await save(open, query, values.save, call)
      const isExplained = values.explain === true
      const { report, outcome } = await searchReport(gateway, {
        query,
        limit,
        isExplained,
        ...search,
      })
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
        terminal.print(plainJson(data, 2))
      } else {
        printReport(terminal, report, { isExplained, notes: approvalNotes(gateway) })
        if (why) terminal.print(`\n${why.text}`)
      }
      return report.hits.length > 0 ? OK : FAILED
    },
    { connect: values.refresh ? 'all' : 'unknown', isSearched: true },
  )
}

function printReport(
  terminal: Terminal,
  { hits, candidates, suggestion, rules, nearMisses }: SearchReport,
  { isExplained, notes }: { isExplained: boolean; notes: ReturnType<typeof approvalNotes> },
): void {
  if (candidates.length > 0) {
    terminal.print('No sure match. An agent gets these names as candidates:')
  }
  for (const { name, summary, score, parts } of [...hits, ...candidates]) {
    const note = notes.get(name)?.text
    // a tool found by its name has no score
    const start = (score?.toFixed(2) ?? 'name').padStart(6)
    terminal.print(`${start}  ${paint(terminal, 'bold', plain(name))}`)
    if (note !== undefined) terminal.print(`        ${paint(terminal, 'yellow', note)}`)
    terminal.print(`        ${shorten(plain(summary), Math.max(20, terminal.width - 8))}`)
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
  { gateway, file, records }: GatewayInternals,
  query: string,
  names: string,
  { terminal, values }: CommandCall,
): Promise<void> {
  const relevant = names.split(',').map((name) => name.trim())
  const unknown = unknownTools(gateway, relevant, values.refresh === true)
  if (unknown) throw new UsageError(`${unknown} The query was not saved.`)
  const saved = records.postgres?.savedQueries ?? createSavedQueries(savedQueriesFile(file))
  await saved.save({ query, relevant })
  terminal.say(`Saved in ${saved.file}`)
}
