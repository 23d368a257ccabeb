import { closestKey } from '../config/closest-key.ts'
import {
  type Command,
  type CommandCall,
  FAILED,
  OK,
  type Terminal,
  WRONG_USAGE,
} from './command.ts'
import { CommandFailure, UsageError } from './command-errors.ts'
import type { CommandEntry } from './commands.ts'
import { parseOptions } from './parse-options.ts'

export interface RunOptions
  extends Pick<CommandCall, 'terminal' | 'env' | 'cwd' | 'signals' | 'stdio'> {
  readonly commands: readonly CommandEntry[]
  readonly version: string
}

/** Parses a command line and runs its command. Resolves to the exit code. */
export async function runCommand(line: readonly string[], options: RunOptions): Promise<number> {
  const { commands, version, terminal, env, cwd, signals, stdio } = options
  const [name = '--help', ...rest] = line
  if (name === '--version' || name === '-v') return printed(terminal, version)
  const isHelp = name === '--help' || name === '-h' || name === 'help'
  const wanted = isHelp ? rest[0] : name
  if (wanted === undefined) return printed(terminal, overview(commands))
  const entry = commands.find((each) => each.name === wanted)
  if (entry === undefined) {
    terminal.say(unknownCommand(wanted, commands))
    return WRONG_USAGE
  }
  const command = await entry.load()
  if (isHelp) return printed(terminal, commandHelp(command))
  let call: ReturnType<typeof parseOptions>
  try {
    call = parseOptions(command, rest)
  } catch (error) {
    return reported(terminal, error, `${usageOf(command)}\n${moreHelp(command)}`)
  }
  if (call.values.help) return printed(terminal, commandHelp(command))
  const [extra] = call.args
  if (extra !== undefined && takesNoArguments(command)) {
    const mistake = new UsageError(
      `toolsearch ${command.name} takes no arguments, but got "${extra}".`,
    )
    return reported(terminal, mistake, moreHelp(command))
  }
  try {
    return await command.run({ ...call, terminal, env, cwd, signals, stdio })
  } catch (error) {
    return reported(terminal, error, moreHelp(command))
  }
}

/** What is stored cannot be read or written. The messages say what to do. */
const UNUSABLE_RECORDS = ['database_unavailable', 'database_too_new', 'invalid_encryption_key']
const DATABASE_ADVICE = 'Start it, or correct "toolsearch.state.postgres" in the configuration.'

/** Reports a mistake in the command line, or why the command failed. @throws every other error */
function reported(terminal: Terminal, error: unknown, advice: string): number {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof CommandFailure || UNUSABLE_RECORDS.includes(code ?? '')) {
    terminal.say(code === 'database_unavailable' ? `${message} ${DATABASE_ADVICE}` : message)
    return FAILED
  }
  if (!(error instanceof UsageError)) throw error
  terminal.say(`${error.message}\n${advice}`)
  return WRONG_USAGE
}

function takesNoArguments({ usage }: Command): boolean {
  return usage === '[options]'
}

function moreHelp({ name }: Command): string {
  return `Run toolsearch ${name} --help for usage.`
}

function unknownCommand(name: string, commands: readonly CommandEntry[]): string {
  if (name.startsWith('-')) {
    const option = closestKey(name.replace(/^-+/, ''), ['version', 'help'])
    const hint = option ? ` Did you mean --${option}?` : ''
    return `There is no option ${name}.${hint} Run toolsearch --help for a list of commands.`
  }
  const names = commands.map((each) => each.name)
  const closest = closestKey(name, names)
  const hint = closest ? ` Did you mean "${closest}"?` : ''
  return `There is no command "${name}".${hint} Run toolsearch --help for a list.`
}

function printed(terminal: Terminal, text: string): number {
  terminal.print(text)
  return OK
}

function overview(commands: readonly CommandEntry[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'toolsearch: one MCP server in front of all your MCP servers.',
    '',
    'Usage: toolsearch COMMAND [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'Run toolsearch COMMAND --help for details. Most commands accept --config FILE and --json.',
    'Standard locations of the config file: $TOOLSEARCH_CONFIG, toolsearch.json, .mcp.json,',
    '~/.config/toolsearch/toolsearch.json.',
  ].join('\n')
}

function usageOf({ name, usage }: Command): string {
  return `Usage: toolsearch ${name} ${usage}`.trimEnd()
}

function commandHelp(command: Command): string {
  const { name, summary, help, examples } = command
  return [
    `toolsearch ${name}: ${summary}`,
    '',
    usageOf(command),
    '',
    ...help.map((line) => `  ${line}`),
    '',
    'Examples:',
    ...examples.map((line) => `  ${line}`),
  ].join('\n')
}
