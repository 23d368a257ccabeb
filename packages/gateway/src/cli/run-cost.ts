import { costReport } from '../inspection/cost-report.ts'
import { approvalNotes } from './approval-notes.ts'
import { type CommandCall, OK } from './command.ts'
import { bar, count, formatNumber, paint, shorten } from './format.ts'
import { plain, plainJson } from './plain.ts'
import { savingsText } from './savings-text.ts'
import { withGateway } from './with-gateway.ts'

const WIDEST_BAR = 24
/** Below this, a bar shows nothing. */
const NARROWEST_BAR = 4
/** The columns after the name and the bar: the tokens and the number of tools. */
const NUMBERS = '  12,345  123 tools'.length

export function runCost(call: CommandCall): Promise<number> {
  return withGateway(
    call,
    async ({ gateway }) => {
      const { terminal, values } = call
      const report = costReport(gateway.toolSearch.catalogue.tools(), gateway.listTools())
      if (values.json) {
        terminal.print(plainJson(report, 2))
        return OK
      }
      const longest = Math.max(6, ...report.servers.map(({ server }) => plain(server).length))
      const width = Math.min(longest, Math.max(10, terminal.width - NUMBERS))
      const room = Math.min(WIDEST_BAR, terminal.width - NUMBERS - width - 2)
      const barWidth = room >= NARROWEST_BAR ? room : 0
      for (const { server, tokens, share, tools } of report.servers) {
        const name = shorten(plain(server), width).padEnd(width)
        const filled = paint(terminal, 'cyan', bar(share, barWidth).padEnd(barWidth))
        const cost = formatNumber(tokens).padStart(6)
        const cells = [name, ...(barWidth > 0 ? [filled] : []), cost, count(tools.length, 'tool')]
        terminal.print(cells.join('  '))
        for (const tool of values.tools ? tools : []) {
          const indent = ' '.repeat(barWidth > 0 ? width + 2 + barWidth : 0)
          const toolTokens = formatNumber(tool.tokens).padStart(6)
          terminal.print(`${indent}  ${toolTokens}  ${plain(tool.name)}`)
        }
      }
      terminal.print('')
      terminal.print(`Tokens per request with every tool  ${formatNumber(report.eager)}`)
      terminal.print(`Tokens per request with toolsearch  ${formatNumber(report.listed)}`)
      terminal.print(savingsText(report))
      const withheld = [...approvalNotes(gateway).values()].filter(({ isWithheld }) => isWithheld)
      if (withheld.length > 0) {
        terminal.say(
          `Includes ${count(withheld.length, 'tool')} that agents cannot find before you approve them. Run toolsearch review.`,
        )
      }
      return OK
    },
    call.values.refresh ? 'all' : 'unknown',
  )
}
