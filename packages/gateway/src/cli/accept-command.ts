import { type Command, commonHelp, commonOptions, FAILED, OK } from './command.ts'
import { noSuchTools } from './usage-error.ts'
import { withGateway } from './with-gateway.ts'

export const acceptCommand: Command = {
  name: 'accept',
  summary: 'Approve tools whose definitions changed',
  usage: '[TOOL…] [options]',
  options: commonOptions,
  help: [...commonHelp, 'TOOL               the tools to approve (default: all changed tools)'],
  examples: ['toolsearch accept', 'toolsearch accept files__read_file'],
  run: (call) =>
    withGateway(call, async ({ gateway }) => {
      const { terminal, values, args } = call
      const names = args.length > 0 ? args : gateway.changedTools()
      const accepted = names.filter((name) => gateway.acceptTool(name))
      const unknown = names.filter((name) => !accepted.includes(name))
      if (values.json) terminal.print(JSON.stringify({ accepted, unknown }, null, 2))
      else {
        for (const name of accepted) terminal.print(`Accepted ${name}`)
        for (const name of unknown) terminal.say(noSuchTools([name]))
        if (names.length === 0) terminal.say('No tool definitions have changed.')
      }
      return unknown.length > 0 ? FAILED : OK
    }),
}
