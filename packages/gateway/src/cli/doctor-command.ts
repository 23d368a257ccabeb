import { lintCatalogue } from '../inspection/lint-catalogue.ts'
import { recentLog } from '../upstreams/recent-log.ts'
import { type Command, commonHelp, commonOptions, FAILED, OK } from './command.ts'
import { count, paint } from './format.ts'
import { plain } from './plain.ts'
import { withGateway } from './with-gateway.ts'

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
      const hiddenTools = gateway.hiddenTools()
      const servers = [...fleet.upstreams.values()].map(({ name, status, tools }) => {
        const hidden = hiddenTools.filter(({ server }) => server === name).length
        return {
          name,
          ...(statuses.get(name) ?? status),
          tools: tools.length - hidden,
          hidden,
        }
      })
      const changed = gateway.changedTools()
      const setup = gateway.setupProblems()
      const findings = lintCatalogue(gateway.toolSearch, changed, setup)
      const isHealthy =
        changed.length === 0 &&
        setup.length === 0 &&
        servers.every(({ state, refused }) => state === 'ready' && refused.length === 0)
      if (values.json) {
        terminal.print(JSON.stringify({ servers, findings }, null, 2))
        return isHealthy ? OK : FAILED
      }
      for (const { name, state, detail, logOutput, refused, tools, hidden } of servers) {
        const isReady = state === 'ready'
        const sign = isReady ? paint(terminal, 'green', '✓') : paint(terminal, 'red', '✗')
        const offered = `${count(tools, 'tool')}${hidden > 0 ? `, ${hidden} hidden by rules` : ''}`
        terminal.print(`${sign} ${name}: ${isReady ? offered : state}`)
        if (detail !== undefined)
          terminal.print(`    ${plain(detail.split('\nRecent log output:')[0]!)}`)
        for (const line of isReady ? [] : recentLog(logOutput)) {
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
      return isHealthy ? OK : FAILED
    }),
}
