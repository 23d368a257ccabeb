import type { MissedSearch, MissReport } from '../inspection/api.ts'
import { askGateway, askHelp, askOptions } from './ask-gateway.ts'
import { type Command, OK } from './command.ts'
import { count, formatNumber, paint } from './format.ts'
import { plain, plainJson } from './plain.ts'

const SHOWN = 20

const KINDS: Readonly<Record<MissedSearch['kind'], string>> = {
  'nothing-found': 'found nothing',
  'low-confidence': 'found nothing sure',
  repeated: 'retried in other words',
  'not-called': 'results unused',
}

export const missesCommand: Command = {
  name: 'misses',
  summary: 'Show missed searches and tools never found in a running gateway',
  usage: '[options]',
  options: { ...askOptions, all: { type: 'boolean' } },
  help: [
    ...askHelp,
    `--all              list all tools that no search found, not just the first ${SHOWN}`,
  ],
  examples: ['toolsearch misses', 'toolsearch misses --url http://127.0.0.1:7777 --json'],
  async run(call) {
    const { values, terminal } = call
    const report = (await (await askGateway(call, '/api/misses')).json()) as MissReport
    if (values.json) {
      terminal.print(plainJson(report, 2))
      return OK
    }
    const { searches, neverFound, total } = report
    const missed = searches.reduce((sum, { times }) => sum + times, 0)
    terminal.print(`${count(total, 'search', 'searches')}, ${formatNumber(missed)} missed`)
    for (const { query, kind, times, hits, candidates } of searches) {
      const names = [...hits, ...candidates]
      const found = names.length === 0 ? '' : `: ${plain(names.join(', '))}`
      const name = paint(terminal, 'bold', `"${plain(query)}"`)
      terminal.print(`${formatNumber(times).padStart(4)} ×  ${name} ${KINDS[kind]}${found}`)
    }
    if (neverFound.length === 0) return OK
    terminal.print('')
    terminal.print(`Tools that no search found: ${formatNumber(neverFound.length)}`)
    const shown = values.all ? neverFound : neverFound.slice(0, SHOWN)
    for (const { name } of shown) terminal.print(`        ${plain(name)}`)
    if (shown.length < neverFound.length) terminal.say('Use --all to list all of them.')
    return OK
  },
}
