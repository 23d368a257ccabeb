import { type Command, NOT_WELL, OK } from './command.ts'
import { commonHelp, commonOptions } from './common-options.ts'
import { withGateway } from './with-gateway.ts'

export const acceptCommand: Command = {
  name: 'accept',
  summary: 'approves tools whose definitions have changed',
  usage: '[TOOL…] [options]',
  options: commonOptions,
  help: [...commonHelp, 'TOOL               only these; all that have changed if left out'],
  examples: ['toolsearch accept', 'toolsearch accept files__read_file'],
  run: (call) =>
    withGateway(call, async ({ gateway }) => {
      const { terminal, values, words } = call
      const names = words.length > 0 ? words : gateway.changedTools()
      const accepted = names.filter((name) => gateway.acceptTool(name))
      const unknown = names.filter((name) => !accepted.includes(name))
      if (values.json) terminal.print(JSON.stringify({ accepted, unknown }, null, 2))
      else {
        for (const name of accepted) terminal.print(`Accepted ${name}`)
        for (const name of unknown) terminal.say(`There is no tool "${name}".`)
        if (names.length === 0) terminal.say('No definition has changed.')
      }
      return unknown.length > 0 ? NOT_WELL : OK
    }),
}
