import { effectOf } from '../downstream/effect.ts'
import { CHANGED } from '../downstream/meta-tools.ts'
import { type Command, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { paint } from './paint.ts'
import { withGateway } from './with-gateway.ts'

export const toolsCommand: Command = {
  name: 'tools',
  summary: 'lists every tool of every server',
  usage: '[options]',
  options: commonOptions,
  help: commonHelp,
  examples: ['toolsearch tools', 'toolsearch tools --json | jq length'],
  run: (call) =>
    withGateway(call, async ({ gateway }) => {
      const { terminal } = call
      const tools = gateway.toolSearch.catalogue.sorted()
      const changed = new Set(gateway.changedTools())
      if (call.values.json) {
        const data = tools.map((tool) => ({
          ...tool,
          effect: effectOf(tool),
          ...(changed.has(tool.name) && { [CHANGED]: true }),
        }))
        terminal.print(JSON.stringify(data, null, 2))
        return OK
      }
      for (const tool of tools) {
        const [line = ''] = tool.description.split('\n')
        const width = Math.max(20, terminal.width - tool.name.length - 2)
        const sign = changed.has(tool.name) ? paint(terminal, 'yellow', '  changed') : ''
        terminal.print(`${paint(terminal, 'bold', tool.name)}${sign}  ${line.slice(0, width)}`)
      }
      return OK
    }),
}
