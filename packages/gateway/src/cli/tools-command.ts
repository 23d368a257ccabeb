import type { Tool } from 'toolsearch'
import { toolCost } from '../inspection/cost-report.ts'
import { serverOf } from '../inspection/tool-summary.ts'
import type { PastDefinition } from '../offering/approvals/definition-history.ts'
import { effectOf } from '../offering/effect.ts'
import { CHANGED } from '../offering/meta-tools.ts'
import { type Command, commonHelp, commonOptions, OK, type Terminal } from './command.ts'
import { count, paint } from './format.ts'
import { plain } from './plain.ts'
import { noSuchTools, UsageError } from './usage-error.ts'
import { withGateway } from './with-gateway.ts'

export const toolsCommand: Command = {
  name: 'tools',
  summary: 'List every tool of every server',
  usage: '[TOOL…] [options]',
  options: commonOptions,
  help: [...commonHelp, 'TOOL               show only these tools, with all details'],
  examples: [
    'toolsearch tools',
    'toolsearch tools files__read_file',
    'toolsearch tools --json | jq length',
  ],
  run: (call) =>
    withGateway(call, async ({ gateway, approvals }) => {
      const { terminal, args } = call
      const all = gateway.toolSearch.catalogue.sorted()
      const unknown = args.filter((name) => !gateway.toolSearch.catalogue.has(name))
      if (unknown.length > 0) throw new UsageError(noSuchTools(unknown))
      const tools = args.length > 0 ? all.filter(({ name }) => args.includes(name)) : all
      const historyOf = ({ name }: Tool) => {
        const origin = gateway.origin(name)
        return origin ? approvals.history(origin.server, origin.tool.name) : []
      }
      const changed = new Set(gateway.changedTools())
      if (call.values.json) {
        const data = tools.map((tool) => ({
          ...tool,
          effect: effectOf(tool),
          ...(changed.has(tool.name) && { [CHANGED]: true }),
          ...(args.length > 0 && { tokens: toolCost(tool), history: historyOf(tool) }),
        }))
        terminal.print(JSON.stringify(data, null, 2))
        return OK
      }
      for (const tool of tools) {
        const [line = ''] = tool.description.split('\n')
        const width = Math.max(20, terminal.width - tool.name.length - 2)
        const sign = changed.has(tool.name) ? paint(terminal, 'yellow', '  changed') : ''
        terminal.print(
          `${paint(terminal, 'bold', tool.name)}${sign}  ${plain(line).slice(0, width)}`,
        )
        if (args.length > 0) printTool(terminal, tool, historyOf(tool))
      }
      return OK
    }),
}

function printTool(terminal: Terminal, tool: Tool, history: readonly PastDefinition[]): void {
  const effect = effectOf(tool) === 'read' ? 'read-only' : effectOf(tool)
  terminal.print(`${count(toolCost(tool), 'token')}, ${effect}, from ${serverOf(tool)}\n`)
  terminal.print(tool.description.split('\n').map(plain).join('\n'))
  terminal.print(JSON.stringify(tool.inputSchema, null, 2))
  for (const { replacedAt, isApproved, definition } of history) {
    terminal.print(
      `\nPrevious definition (${isApproved ? 'approved, ' : ''}replaced ${replacedAt}):`,
    )
    terminal.print(JSON.stringify(definition, null, 2))
  }
}
