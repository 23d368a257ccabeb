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
  },
  help: [
    ...askHelp,
    '-f, --follow       go on and tell what happens, until it ends',
    `-n, --limit N      how many of the latest events; ${EVENTS} if left out`,
  ],
  examples: [
    'toolsearch live --url http://127.0.0.1:7777',
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
    const report = (await (await askGateway(call, '/api/activity')).json()) as ActivityReport
    if (values.json) {
      terminal.print(JSON.stringify(report, null, 2))
      return OK
    }
    for (const session of report.sessions) printSession(terminal, session)
    if (report.sessions.length === 0) terminal.say('No agent has called yet.')
    const latest = report.events.slice(0, limit).reverse()
    if (latest.length > 0) terminal.print('')
    for (const event of latest) terminal.print(eventLine(terminal, event))
    return OK
  },
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
