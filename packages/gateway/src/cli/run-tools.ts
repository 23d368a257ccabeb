import type { Tool } from 'toolsearch'
import { effectOf } from '../access/effect.ts'
import { toolCost } from '../inspection/cost-report.ts'
import { serverOf } from '../inspection/tool-summary.ts'
import type { PastDefinition } from '../offering/approvals/definition-history.ts'
import { CHANGED } from '../offering/tool-notes.ts'
import { approvalNotes } from './approval-notes.ts'
import { type CommandCall, OK, type Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { count, paint, shorten } from './format.ts'
import { plain, plainJson, plainLines } from './plain.ts'
import { unknownTools } from './unknown-tools.ts'
import { withGateway } from './with-gateway.ts'

export function runTools(call: CommandCall): Promise<number> {
  return withGateway(
    call,
    async ({ gateway, approvals }) => {
      const { terminal, args } = call
      const { catalogue } = gateway.toolSearch
      const unknown = unknownTools(gateway, args, call.values.refresh === true)
      if (unknown) throw new UsageError(unknown)
      const all = catalogue.sorted()
      const tools = all.filter(({ name, skill }) =>
        args.length > 0 ? args.includes(name) : !skill,
      )
      const historyOf = ({ name }: Tool) => {
        const origin = gateway.origin(name)
        return origin ? approvals.history(origin.server, origin.tool.name) : []
      }
      const notes = approvalNotes(gateway)
      if (call.values.json) {
        const data = tools.map((tool) => ({
          ...tool,
          effect: effectOf(tool),
          ...(notes.get(tool.name)?.short === 'changed' && { [CHANGED]: true }),
          ...(args.length > 0 && { tokens: toolCost(tool), history: historyOf(tool) }),
        }))
        terminal.print(plainJson(data, 2))
        return OK
      }
      for (const tool of tools) {
        const note = notes.get(tool.name)
        printLine(terminal, tool, note?.short)
        if (args.length > 0)
          printTool(terminal, tool, { note: note?.text, history: historyOf(tool) })
      }
      return OK
    },
    call.values.refresh ? 'all' : 'unknown',
  )
}

/** The name and the start of the description; below the name if the terminal is narrow. */
function printLine(terminal: Terminal, tool: Tool, note: string | undefined): void {
  const name = plain(tool.name)
  const [line = ''] = tool.description.trim().split('\n')
  const sign = note === undefined ? '' : `  ${note}`
  const start = `${paint(terminal, 'bold', name)}${sign && paint(terminal, 'yellow', sign)}`
  const room = terminal.width - name.length - 2 - sign.length
  if (room >= 20 || line === '') {
    terminal.print(`${start}  ${shorten(plain(line), Math.max(20, room))}`.trimEnd())
  } else {
    terminal.print(start)
    terminal.print(`  ${shorten(plain(line), Math.max(20, terminal.width - 2))}`)
  }
}

interface ToolDetails {
  readonly note: string | undefined
  readonly history: readonly PastDefinition[]
}

function printTool(terminal: Terminal, tool: Tool, { note, history }: ToolDetails): void {
  const effect = effectOf(tool) === 'read' ? 'read-only' : effectOf(tool)
  terminal.print(`${count(toolCost(tool), 'token')}, ${effect}, from ${serverOf(tool)}`)
  if (note !== undefined) terminal.print(paint(terminal, 'yellow', note))
  terminal.print('')
  terminal.print(plainLines(tool.description))
  terminal.print(plainJson(tool.inputSchema, 2))
  for (const { replacedAt, isApproved, definition } of history) {
    terminal.print(
      `\nPrevious definition (${isApproved ? 'approved, ' : ''}replaced ${replacedAt}):`,
    )
    terminal.print(plainJson(definition, 2))
  }
}
