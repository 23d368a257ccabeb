import type { MissedSearch, MissReport } from '../inspection/api.ts'
import { askGateway, askHelp, askOptions } from './ask-gateway.ts'
import { type Command, OK } from './command.ts'
import { paint } from './paint.ts'
import { plain } from './plain.ts'

const NAMED = 20

const WORDS: Readonly<Record<MissedSearch['kind'], string>> = {
  'nothing-found': 'found nothing',
  repeated: 'asked again in other words',
  'not-called': 'called none of what was found',
}

export const missesCommand: Command = {
  name: 'misses',
  summary: 'says what agents looked for and did not get, from a gateway that runs',
  usage: '--url ADDRESS [options]',
  options: { ...askOptions, all: { type: 'boolean' } },
  help: [...askHelp, `--all              every tool that was never found, not only ${NAMED}`],
  examples: [
    'toolsearch misses --url http://127.0.0.1:7777',
    'toolsearch misses --url http://127.0.0.1:7777 --json',
  ],
  async run(call) {
    const { values, terminal } = call
    const report = (await (await askGateway(call, '/api/misses')).json()) as MissReport
    if (values.json) {
      terminal.print(JSON.stringify(report, null, 2))
      return OK
    }
    const { searches, neverFound, total } = report
    const missed = searches.reduce((sum, { times }) => sum + times, 0)
    terminal.print(`${total} searches, ${missed} missed`)
    for (const { query, kind, times, hits } of searches) {
      const found = hits.length === 0 ? '' : `: ${plain(hits.join(', '))}`
      const name = paint(terminal, 'bold', `"${plain(query)}"`)
      terminal.print(`${String(times).padStart(4)} ×  ${name} ${WORDS[kind]}${found}`)
    }
    if (neverFound.length === 0) return OK
    terminal.print('')
    terminal.print(`${neverFound.length} tools were never found:`)
    const shown = values.all ? neverFound : neverFound.slice(0, NAMED)
    for (const { name } of shown) terminal.print(`        ${plain(name)}`)
    if (shown.length < neverFound.length) terminal.say('--all names them all.')
    return OK
  },
}
