import type { ActivityEvent, ActivityReport, LiveEvent, SessionReport } from '../inspection/api.ts'
import { askGateway, askHelp, askOptions, readEvents } from './ask-gateway.ts'
import { callText } from './call-text.ts'
import { type Command, OK, type Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { count, paint } from './format.ts'
import { plain, plainJson } from './plain.ts'
import { readCount } from './read-count.ts'

const EVENTS = 20

export const liveCommand: Command = {
  name: 'live',
  summary: 'Show agent sessions and recent activity in a running gateway',
  usage: '[options]',
  options: {
    ...askOptions,
    follow: { type: 'boolean', short: 'f' },
    limit: { type: 'string', short: 'n' },
    session: { type: 'string' },
  },
  help: [
    ...askHelp,
    '-f, --follow       print events as they happen, until the gateway stops',
    `-n, --limit N      number of recent events to show (default: ${EVENTS})`,
    '--session ID       show one session: its tokens, loaded tools and events',
  ],
  examples: ['toolsearch live', 'toolsearch live --session 42', 'toolsearch live --follow --json'],
  async run(call) {
    const { values, terminal } = call
    const limit = readCount(values.limit, { option: '--limit', fallback: EVENTS, min: 0 })
    if (values.follow) {
      const response = await askGateway(call, '/api/events')
      for await (const event of readEvents<LiveEvent>(response)) {
        if (values.json) terminal.print(plainJson(event))
        else if (event.kind === 'activity') terminal.print(eventLine(terminal, event.event))
        else if (event.kind === 'servers') {
          for (const { name, state, detail } of event.servers) {
            terminal.say(plain(`${name}: ${state}${detail === undefined ? '' : `, ${detail}`}`))
          }
        }
      }
      terminal.say('The gateway stopped.')
      return OK
    }
    const whole = (await (await askGateway(call, '/api/activity')).json()) as ActivityReport
    const report = typeof values.session === 'string' ? pick(whole, values.session) : whole
    if (values.json) {
      terminal.print(plainJson(report, 2))
      return OK
    }
    for (const session of report.sessions) {
      printSession(terminal, session)
      if (report !== whole) printDetails(terminal, session)
    }
    if (report.sessions.length === 0) terminal.say('No agents connected yet.')
    const latest = report.events.slice(0, limit).reverse()
    if (latest.length > 0) terminal.print('')
    for (const event of latest) terminal.print(eventLine(terminal, event))
    return OK
  },
}

/** @throws UsageError */
function pick({ sessions, events, running }: ActivityReport, id: string): ActivityReport {
  const matching = sessions.filter((session) => session.id === id)
  if (matching.length === 0) throw new UsageError(`There is no session "${id}".`)
  const isOfSession = ({ session }: { readonly session: string }) => session === id
  return {
    sessions: matching,
    events: events.filter(isOfSession),
    running: running.filter(isOfSession),
  }
}

function printDetails(terminal: Terminal, { ledger, loaded }: SessionReport): void {
  const { requests, listing, searches, loaded: definitions } = ledger
  terminal.print(
    `    ${count(requests, 'request')}: ${count(listing, 'token')} for the tool list, ` +
      `${count(searches, 'token')} for search results ` +
      `(including ${count(definitions, 'token')} for definitions)`,
  )
  for (const { name, tokens, calls, query } of loaded) {
    const foundBy = query === undefined ? '' : `, found by "${plain(query)}"`
    terminal.print(`    ${name}  ${count(tokens, 'token')}, ${count(calls, 'call')}${foundBy}`)
  }
}

function printSession(terminal: Terminal, session: SessionReport): void {
  const { client, id, transport, isOpen, searches, calls, loaded, ledger, cacheBreaks } = session
  const sign = isOpen ? paint(terminal, 'green', '●') : '○'
  const name = paint(terminal, 'bold', plain(client))
  terminal.print(
    `${sign} ${name} ${id} (${transport})  ${count(searches, 'search', 'searches')}, ` +
      `${count(calls, 'call')}, ${count(loaded.length, 'tool')} loaded, ` +
      savings(ledger),
  )
  for (const { at, reason } of cacheBreaks.slice(-3)) {
    const warning = paint(terminal, 'yellow', '!')
    terminal.print(`    ${warning} ${clock(at)} prompt cache lost: ${plain(reason)}`)
  }
}

function savings({ saved, extra }: SessionReport['ledger']): string {
  if (extra <= saved) return `${count(saved - extra, 'token')} saved`
  return `${count(extra - saved, 'token')} more than with every tool listed`
}

function eventLine(terminal: Terminal, event: ActivityEvent): string {
  const { at, client, milliseconds, size } = event
  const took = `${milliseconds.toFixed(1)} ms, ${count(size, 'character')}`
  const start = `${clock(at)}  ${client}`
  if (event.kind === 'search') {
    const { hits, candidates } = event
    const doubt = candidates.length > 0 ? `low confidence: ${candidates.join(', ')}` : 'no results'
    const found = hits.length > 0 ? hits.join(', ') : doubt
    return plain(`${start}  searched "${event.query}"  ${took}: ${found}`)
  }
  const failed =
    event.failure === undefined
      ? ''
      : paint(terminal, 'red', `  failed: ${plain(event.failure.split('\n')[0]!)}`)
  return `${plain(`${start}  ${callText(event)}`)}  ${took}${failed}`
}

function clock(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB')
}
