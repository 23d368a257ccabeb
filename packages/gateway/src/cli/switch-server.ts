import { type Command, type CommandCall, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfigFile } from './find-config.ts'
import { plain } from './plain.ts'

/** A command that turns a server on or off. */
export function switchCommand(name: 'enable' | 'disable', summary: string): Command {
  return {
    name,
    summary,
    usage: 'NAME [options]',
    options: { config: { type: 'string', short: 'c' } },
    help: ['-c, --config FILE  config file (default: the standard locations)'],
    examples: [`toolsearch ${name} github`],
    run: (call) => switchServer(call, name === 'enable'),
  }
}

async function switchServer(call: CommandCall, isEnabling: boolean): Promise<number> {
  const { args, terminal, env } = call
  if (args.length > 1) throw new UsageError('Specify one server.')
  const { openConfigFile } = await import('./edit-config-file.ts')
  const file = findConfigFile(call)
  const config = await openConfigFile(file, env)
  const [name] = args
  const { path, entry } = config.server(name)
  const state = isEnabling ? 'enabled' : 'disabled'
  if ((entry.disabled === true) !== isEnabling) {
    terminal.print(plain(`${name} is already ${state} in ${file}.`))
    return OK
  }
  const value = isEnabling ? undefined : true
  const title = `${isEnabling ? 'Enable' : 'Disable'} ${name}`
  await config.edit(title, [{ path: [...path, 'disabled'], value }])
  terminal.print(plain(`${name} is now ${state} in ${file}.`))
  await config.sayNext(terminal)
  return OK
}
