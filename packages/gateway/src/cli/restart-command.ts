import type { ServerReport } from '../inspection/api.ts'
import { askGateway, askHelp, askOptions } from './ask-gateway.ts'
import { type Command, FAILED, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { plain } from './plain.ts'

export const restartCommand: Command = {
  name: 'restart',
  summary: 'Restart a server in a running gateway',
  usage: 'NAME [options]',
  options: askOptions,
  help: askHelp,
  examples: ['toolsearch restart github'],
  async run(call) {
    const { args, terminal, values } = call
    const [name, ...more] = args
    if (name === undefined || more.length > 0) throw new UsageError('Specify one server.')
    const path = `/api/servers/${encodeURIComponent(name)}/restart`
    const response = await askGateway(call, path, { method: 'POST' })
    const report = (await response.json()) as Pick<ServerReport, 'state' | 'detail'>
    const { state, detail } = report
    const isReady = state === 'ready'
    if (values.json) terminal.print(JSON.stringify(report, null, 2))
    else if (isReady) terminal.print(plain(`Restarted ${name}.`))
    else terminal.say(plain(`${name} is ${state}${detail ? `: ${detail}` : ''}`))
    return isReady ? OK : FAILED
  },
}
