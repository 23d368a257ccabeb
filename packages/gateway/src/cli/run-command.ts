import { parseArgs } from 'node:util'
import { closestKey } from '../config/closest-key.ts'
import { type Command, type Terminal, WRONG_USE } from './command.ts'
import { UsageError } from './usage-error.ts'

export interface RunOptions {
  readonly commands: readonly Command[]
  readonly version: string
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Understands a command line and runs it. Gives the exit code. */
export async function runCommand(line: readonly string[], options: RunOptions): Promise<number> {
  const { commands, version, terminal, env } = options
  const [name = '--help', ...rest] = line
  if (name === '--version' || name === '-v') return told(terminal, version)
  if (name === '--help' || name === '-h' || name === 'help') {
    const about = commands.find((command) => command.name === rest[0])
    return told(terminal, about ? commandHelp(about) : overview(commands))
  }
  const command = commands.find((one) => one.name === name)
  if (command === undefined) {
    const close = closestKey(
      name,
      commands.map((one) => one.name),
    )
    terminal.say(
      `There is no command "${name}".${close ? ` Did you mean "${close}"?` : ''} Try toolsearch --help.`,
    )
    return WRONG_USE
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) return told(terminal, commandHelp(command))
    const given = values as Record<string, string | boolean | undefined>
    return await command.run({ values: given, words: positionals, terminal, env })
  } catch (error) {
    if (!isExpected(error)) throw error
    terminal.say(`${(error as Error).message}\nTry toolsearch ${command.name} --help.`)
    return WRONG_USE
  }
}

function isExpected(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code)
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS')
}

function told(terminal: Terminal, text: string): number {
  terminal.print(text)
  return 0
}

function overview(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length))
  return [
    'toolsearch: one MCP server in front of all your MCP servers.',
    '',
    'Usage: toolsearch COMMAND [options]',
    '',
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    '',
    'toolsearch COMMAND --help tells more. Most commands take --config FILE and --json.',
  ].join('\n')
}

function commandHelp({ name, summary, usage, help, examples }: Command): string {
  return [
    `toolsearch ${name}: ${summary}`,
    '',
    `Usage: toolsearch ${name} ${usage}`.trimEnd(),
    '',
    ...help.map((line) => `  ${line}`),
    '',
    'Examples:',
    ...examples.map((line) => `  ${line}`),
  ].join('\n')
}
