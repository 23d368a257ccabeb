import { lintCatalogue } from '../inspection/lint-catalogue.ts'
import { type Command, commonHelp, commonOptions, FAILED, OK } from './command.ts'
import { count, paint } from './format.ts'
import { plain } from './plain.ts'
import { withGateway } from './with-gateway.ts'

const LOG_LINES = 5

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'Connect to every server and diagnose problems',
  usage: '[options]',
  options: commonOptions,
  help: commonHelp,
  examples: ['toolsearch doctor', 'toolsearch doctor --json'],
  run: (call) =>
    withGateway(call, async ({ fleet, gateway }, statuses) => {
      const { terminal, values } = call
      const servers = [...fleet.upstreams.values()].map(({ name, status, tools }) => ({
        name,
        ...(statuses.get(name) ?? status),
        tools: tools.length,
      }))
      const changed = gateway.changedTools()
      const findings = lintCatalogue(gateway.toolSearch, changed)
      const isHealthy =
        changed.length === 0 &&
        servers.every(({ state, refused }) => state === 'ready' && refused.length === 0)
      if (values.json) {
        terminal.print(JSON.stringify({ servers, findings }, null, 2))
        return isHealthy ? OK : FAILED
      }
      for (const { name, state, detail, logOutput, refused, tools } of servers) {
        const isReady = state === 'ready'
        const sign = isReady ? paint(terminal, 'green', '✓') : paint(terminal, 'red', '✗')
        terminal.print(`${sign} ${name}: ${isReady ? count(tools, 'tool') : state}`)
        if (detail !== undefined) terminal.print(`    ${plain(detail)}`)
        for (const line of isReady ? [] : logOutput.slice(-LOG_LINES)) {
          terminal.print(`    | ${plain(line)}`)
        }
        for (const { tool, reason } of refused) {
          terminal.print(`    ${plain(tool)}: ${plain(reason)}`)
        }
      }
      if (findings.length > 0) terminal.print('')
      for (const { message } of findings) {
        terminal.print(`${paint(terminal, 'yellow', '!')} ${message}`)
      }
      const waiting = gateway.waitingTools().filter(({ kind }) => kind === 'new').length
      if (waiting > 0) {
        const text = `${count(waiting, 'new tool')} not approved yet. Run toolsearch review.`
        terminal.print(`${paint(terminal, 'yellow', '!')} ${text}`)
      }
      return isHealthy ? OK : FAILED
    }),
}
