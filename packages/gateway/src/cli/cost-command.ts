import { costReport } from '../inspection/cost-report.ts'
import { type Command, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { bar, paint } from './paint.ts'
import { withGateway } from './with-gateway.ts'

const BAR = 24
const number = (value: number) => Math.round(value).toLocaleString('en-GB')

export const costCommand: Command = {
  name: 'cost',
  summary: 'says what tools cost in tokens, and what searching saves',
  usage: '[options]',
  options: { ...commonOptions, tools: { type: 'boolean' } },
  help: [...commonHelp, '--tools            a line for each tool as well'],
  examples: ['toolsearch cost', 'toolsearch cost --tools'],
  run: (call) =>
    withGateway(call, async ({ gateway }) => {
      const { terminal, values } = call
      const report = costReport(gateway.toolSearch.catalogue.tools(), gateway.listTools())
      if (values.json) {
        terminal.print(JSON.stringify(report, null, 2))
        return OK
      }
      const width = Math.max(6, ...report.servers.map(({ server }) => server.length))
      for (const { server, tokens, share, tools } of report.servers) {
        const filled = paint(terminal, 'cyan', bar(share, BAR).padEnd(BAR))
        terminal.print(
          `${server.padEnd(width)}  ${filled}  ${number(tokens).padStart(8)}  ${tools.length} tools`,
        )
        for (const tool of values.tools ? tools : []) {
          terminal.print(
            `${' '.repeat(width + 2 + BAR)}  ${number(tool.tokens).padStart(8)}  ${tool.name}`,
          )
        }
      }
      terminal.print('')
      terminal.print(`every tool in every request  ${number(report.eager)} tokens`)
      terminal.print(`through toolsearch           ${number(report.listed)} tokens`)
      terminal.print(
        `saved                        ${number(report.savedPerTurn)} a turn, ` +
          `${number(report.savedPer100Turns)} in 100 turns`,
      )
      return OK
    }),
}
