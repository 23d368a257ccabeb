import { type Command, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfigFile } from './find-config.ts'
import { plain } from './plain.ts'

export const removeCommand: Command = {
  name: 'remove',
  summary: 'Remove a server from the config file',
  usage: 'NAME [options]',
  options: { config: { type: 'string', short: 'c' } },
  help: ['-c, --config FILE  config file (default: the standard locations)'],
  examples: ['toolsearch remove github'],
  async run(call) {
    const { args, terminal, env } = call
    if (args.length > 1) throw new UsageError('Specify one server.')
    const { openConfigFile } = await import('./edit-config-file.ts')
    const file = findConfigFile(call)
    const config = await openConfigFile(file, env)
    const { path } = config.server(args[0])
    await config.edit(`Remove ${args[0]}`, [{ path, value: undefined }])
    terminal.print(plain(`Removed ${args[0]} from ${file}.`))
    if (config.servers.size === 1) {
      terminal.say('The file has no servers left: add one before you start the gateway.')
    }
    await config.sayNext(terminal)
    return OK
  },
}
