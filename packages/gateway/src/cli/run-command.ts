import { parseArgs } from 'node:util'
import { closestKey } from '../config/closest-key.ts'
import { type Command, OK, type Terminal, WRONG_USAGE } from './command.ts'
import { UsageError } from './usage-error.ts'

export interface RunOptions {
  readonly commands: readonly Command[]
  readonly version: string
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Parses a command line and runs its command. Resolves to the exit code. */
export async function runCommand(line: readonly string[], options: RunOptions): Promise<number> {
  const { commands, version, terminal, env } = options
  const [name = '--help', ...rest] = line
  if (name === '--version' || name === '-v') return printed(terminal, version)
  if (name === '--help' || name === '-h' || name === 'help') {
    const described = commands.find((command) => command.name === rest[0])
    return printed(terminal, described ? commandHelp(described) : overview(commands))
  }
  const command = commands.find((each) => each.name === name)
  if (command === undefined) {
    const closest = closestKey(
      name,
      commands.map((each) => each.name),
    )
    terminal.say(
      `There is no command "${name}".${closest ? ` Did you mean "${closest}"?` : ''} Run toolsearch --help for a list.`,
    )
    return WRONG_USAGE
  }
  try {
    const { values, positionals } = parseArgs({
      args: rest,
      allowPositionals: true,
      options: { ...command.options, help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) return printed(terminal, commandHelp(command))
    const parsed = values as Record<string, string | boolean | undefined>
    return await command.run({ values: parsed, args: positionals, terminal, env })
  } catch (error) {
    if (!isExpected(error)) throw error
    terminal.say(`${(error as Error).message}\nRun toolsearch ${command.name} --help for usage.`)
    return WRONG_USAGE
  }
}

function isExpected(error: unknown): boolean {
  const code = String((error as { code?: unknown } | null)?.code)
  return error instanceof UsageError || code.startsWith('ERR_PARSE_ARGS')
}

function printed(terminal: Terminal, text: string): number {
  terminal.print(text)
  return OK
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
    'Run toolsearch COMMAND --help for details. Most commands accept --config FILE and --json.',
    'Standard locations of the config file: $TOOLSEARCH_CONFIG, toolsearch.json, .mcp.json,',
    '~/.config/toolsearch/toolsearch.json.',
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
