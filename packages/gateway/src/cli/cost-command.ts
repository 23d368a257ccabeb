import { type CostReport, costReport } from '../inspection/cost-report.ts'
import { type Command, commonHelp, commonOptions, OK } from './command.ts'
import { bar, count, formatNumber, paint } from './format.ts'
import { withGateway } from './with-gateway.ts'

const BAR = 24

export const costCommand: Command = {
  name: 'cost',
  summary: 'Show how many tokens your tools cost and how many tool search saves',
  usage: '[options]',
  options: { ...commonOptions, tools: { type: 'boolean' } },
  help: [...commonHelp, '--tools            also list every tool'],
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
        const cost = formatNumber(tokens).padStart(8)
        terminal.print(
          `${server.padEnd(width)}  ${filled}  ${cost}  ${count(tools.length, 'tool')}`,
        )
        for (const tool of values.tools ? tools : []) {
          const toolTokens = formatNumber(tool.tokens).padStart(8)
          terminal.print(`${' '.repeat(width + 2 + BAR)}  ${toolTokens}  ${tool.name}`)
        }
      }
      terminal.print('')
      terminal.print(`Tokens per request with every tool  ${formatNumber(report.eager)}`)
      terminal.print(`Tokens per request with toolsearch  ${formatNumber(report.listed)}`)
      terminal.print(savings(report))
      return OK
    }),
}

function savings({ savedPerTurn, savedPer100Turns }: CostReport): string {
  if (savedPerTurn > 0) {
    return (
      `Tokens saved                        ${formatNumber(savedPerTurn)} per request, ` +
      `${formatNumber(savedPer100Turns)} in 100 requests`
    )
  }
  return (
    'With so few tools, tool search saves no tokens. ' +
    'Set "mode": "auto" to list all tools until there are more of them.'
  )
}
