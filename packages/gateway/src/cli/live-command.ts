import type { ActivityEvent, ActivityReport, LiveEvent, SessionReport } from '../inspection/api.ts'
import { askGateway, askHelp, askOptions } from './ask-gateway.ts'
import { type Command, OK, type Terminal } from './command.ts'
import { paint } from './paint.ts'
import { plain } from './plain.ts'
import { readEvents } from './read-events.ts'
import { UsageError } from './usage-error.ts'

const EVENTS = 20
const number = (value: number) => Math.round(value).toLocaleString('en-GB')

export const liveCommand: Command = {
  name: 'live',
  summary: 'says what agents do with a gateway that runs',
  usage: '--url ADDRESS [options]',
  options: {
    ...askOptions,
    follow: { type: 'boolean', short: 'f' },
    limit: { type: 'string', short: 'n' },
    session: { type: 'string' },
  },
  help: [
    ...askHelp,
    '-f, --follow       go on and tell what happens, until it ends',
    `-n, --limit N      how many of the latest events; ${EVENTS} if left out`,
    '--session ID       one session: its tokens, the tools it was given, what it did',
  ],
  examples: [
    'toolsearch live --url http://127.0.0.1:7777',
    'toolsearch live --url http://127.0.0.1:7777 --session 42',
    'toolsearch live --url http://127.0.0.1:7777 --follow --json',
  ],
  async run(call) {
    const { values, terminal } = call
    const limit = Number(values.limit ?? EVENTS)
    if (!Number.isInteger(limit) || limit < 0) {
      throw new UsageError(`--limit is "${values.limit}"; give a whole number from 0 up.`)
    }
    if (values.follow) {
      const response = await askGateway(call, '/api/events')
      for await (const event of readEvents<LiveEvent>(response)) {
        if (values.json) terminal.print(JSON.stringify(event))
        else if (event.kind === 'activity') terminal.print(eventLine(terminal, event.event))
        else if (event.kind === 'servers') {
          for (const { name, state, detail } of event.servers) {
            terminal.say(plain(`${name}: ${state}${detail === undefined ? '' : `, ${detail}`}`))
          }
        }
      }
      terminal.say('The gateway has ended.')
      return OK
    }
    const whole = (await (await askGateway(call, '/api/activity')).json()) as ActivityReport
    const report = typeof values.session === 'string' ? only(whole, values.session) : whole
    if (values.json) {
      terminal.print(JSON.stringify(report, null, 2))
      return OK
    }
    for (const session of report.sessions) {
      printSession(terminal, session)
      if (report !== whole) printDetails(terminal, session)
    }
    if (report.sessions.length === 0) terminal.say('No agent has called yet.')
    const latest = report.events.slice(0, limit).reverse()
    if (latest.length > 0) terminal.print('')
    for (const event of latest) terminal.print(eventLine(terminal, event))
    return OK
  },
}

/** @throws UsageError */
function only({ sessions, events }: ActivityReport, id: string): ActivityReport {
  const own = sessions.filter((session) => session.id === id)
  if (own.length === 0) throw new UsageError(`No session "${id}" is remembered.`)
  return { sessions: own, events: events.filter(({ session }) => session === id) }
}

function printDetails(terminal: Terminal, { ledger, loaded }: SessionReport): void {
  const { requests, listing, searches, loaded: definitions } = ledger
  terminal.print(
    `    ${number(requests)} requests: ${number(listing)} tokens for the list, ` +
      `${number(searches)} for what searches answered, ${number(definitions)} of it definitions`,
  )
  for (const { name, tokens, calls, query } of loaded) {
    const by = query === undefined ? '' : ` by "${plain(query)}"`
    terminal.print(`    ${name}  ${number(tokens)} tokens, ${calls} calls${by}`)
  }
}

function printSession(terminal: Terminal, session: SessionReport): void {
  const { client, id, transport, isOpen, searches, calls, loaded, ledger, cacheBreaks } = session
  const sign = isOpen ? paint(terminal, 'green', '●') : '○'
  const name = paint(terminal, 'bold', plain(client))
  terminal.print(
    `${sign} ${name} ${id} (${transport})  ${searches} searches, ${calls} calls, ` +
      `${loaded.length} tools loaded, ${number(ledger.saved)} tokens saved`,
  )
  for (const { at, reason } of cacheBreaks.slice(-3)) {
    terminal.print(
      `    ${paint(terminal, 'yellow', '!')} ${clock(at)} the cache was lost: ${plain(reason)}`,
    )
  }
}

function eventLine(terminal: Terminal, event: ActivityEvent): string {
  const { at, client, milliseconds, size } = event
  const took = `${milliseconds.toFixed(1)} ms, ${number(size)} characters`
  const start = `${clock(at)}  ${client}`
  if (event.kind === 'search') {
    const found = event.hits.length === 0 ? 'nothing' : event.hits.join(', ')
    return plain(`${start}  searched "${event.query}"  ${took}: ${found}`)
  }
  const failed =
    event.failure === undefined
      ? ''
      : paint(terminal, 'red', `  failed: ${plain(event.failure.split('\n')[0]!)}`)
  return `${plain(`${start}  called ${event.tool}`)}  ${took}${failed}`
}

function clock(at: string): string {
  return new Date(at).toLocaleTimeString('en-GB')
}
