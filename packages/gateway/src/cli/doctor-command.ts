import { findProblems } from '../inspection/lint-catalogue.ts'
import { type Command, NOT_WELL, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { paint } from './paint.ts'
import { plain } from './plain.ts'
import { withGateway } from './with-gateway.ts'

export const doctorCommand: Command = {
  name: 'doctor',
  summary: 'connects to everything, says what is wrong and how to mend it',
  usage: '[options]',
  options: commonOptions,
  help: commonHelp,
  examples: ['toolsearch doctor', 'toolsearch doctor --json'],
  run: (call) =>
    withGateway(call, async ({ fleet, gateway }) => {
      const { terminal, values } = call
      const servers = [...fleet.upstreams.values()].map(({ name, status, tools }) => ({
        name,
        ...status,
        tools: tools.length,
      }))
      const changed = gateway.changedTools()
      const findings = findProblems(gateway.toolSearch, changed)
      const isWell =
        changed.length === 0 &&
        servers.every(({ state, refused }) => state === 'ready' && refused.length === 0)
      if (values.json) {
        terminal.print(JSON.stringify({ servers, findings }, null, 2))
        return isWell ? OK : NOT_WELL
      }
      for (const { name, state, detail, logOutput, refused, tools } of servers) {
        const sign = state === 'ready' ? paint(terminal, 'green', '✓') : paint(terminal, 'red', '✗')
        terminal.print(`${sign} ${name}: ${state === 'ready' ? `${tools} tools` : state}`)
        if (detail !== undefined) terminal.print(`    ${plain(detail)}`)
        for (const line of state === 'ready' ? [] : logOutput.slice(-5))
          terminal.print(`    | ${plain(line)}`)
        for (const { tool, reason } of refused)
          terminal.print(`    ${plain(tool)}: ${plain(reason)}`)
      }
      if (findings.length > 0) terminal.print('')
      for (const { message } of findings)
        terminal.print(`${paint(terminal, 'yellow', '!')} ${message}`)
      return isWell ? OK : NOT_WELL
    }),
}
