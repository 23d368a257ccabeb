import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type FoundConfig, findClientConfigs } from '../clients/find-client-configs.ts'
import { type ImportPlan, planImport } from '../clients/plan-import.ts'
import { ImportError, type WrittenFile, writeImport } from '../clients/write-import.ts'
import { formatProblem } from '../config/config-problem.ts'
import { type Command, FAILED, OK, type Terminal } from './command.ts'
import { UsageError } from './usage-error.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'Import servers from your MCP clients into one config file',
  usage: '[options]',
  options: {
    config: { type: 'string', short: 'c' },
    json: { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
    replace: { type: 'boolean' },
  },
  help: [
    '-c, --config FILE  file to write (default: ~/.config/toolsearch/toolsearch.json)',
    "--replace          also replace the servers in the clients' files with the gateway",
    '-y, --yes          write without confirmation',
    '--json             print the planned config as JSON, without writing anything',
  ],
  examples: ['toolsearch import', 'toolsearch import --replace'],
  async run({ values, terminal, env }) {
    const home = homedir()
    const defaultFile = join(
      env.XDG_CONFIG_HOME ?? join(home, '.config'),
      'toolsearch',
      'toolsearch.json',
    )
    const file = resolve(typeof values.config === 'string' ? values.config : defaultFile)
    const found = await findClientConfigs({
      home,
      platform: process.platform,
      env,
      cwd: process.cwd(),
    })
    for (const problem of found.flatMap(({ problems }) => problems)) {
      terminal.say(formatProblem(problem))
    }
    const existing = await readIfExists(file)
    const planned = planImport(found, {
      file,
      home,
      env,
      ...(existing !== undefined && { existing }),
    })
    if ('problems' in planned) {
      throw new UsageError(planned.problems.map(formatProblem).join('\n'))
    }
    const { plan } = planned
    if (values.json) {
      terminal.print(JSON.stringify({ file, servers: plan.preview }, null, 2))
      return OK
    }
    show(plan, terminal)
    if (Object.keys(plan.preview).length === 0) {
      terminal.say('Nothing to import.')
      return plan.servers.length > 0 ? OK : FAILED
    }
    if (!values.yes && !(await confirm(`Write this to ${file}? [y/N] `))) {
      const hint = process.stdin.isTTY ? '' : ' Use --yes to write without confirmation.'
      terminal.say(`Nothing was written.${hint}`)
      return FAILED
    }
    const replaceIn = values.replace ? imported(plan) : []
    try {
      sayWritten(await writeImport(plan, { file, replaceIn }), terminal)
      return OK
    } catch (error) {
      if (!(error instanceof ImportError)) throw error
      sayWritten(error.written, terminal)
      terminal.say(error.message)
      return FAILED
    }
  },
}

function show({ preview, servers }: ImportPlan, terminal: Terminal): void {
  for (const { from, found, outcome, name, reason } of servers) {
    const where = `${found.name} in ${from.file}`
    if (outcome === 'added') terminal.print(`+ ${name}: ${where}`)
    else if (outcome === 'duplicate') terminal.print(`= ${name}: ${where}`)
    else if (outcome === 'skipped') terminal.print(`- ${where}: ${reason}`)
  }
  terminal.print(JSON.stringify({ mcpServers: preview }, null, 2))
}

function sayWritten(files: readonly WrittenFile[], terminal: Terminal): void {
  for (const { file, backup } of files) {
    terminal.say(`Wrote ${file}${backup ? ` (backup: ${backup})` : ''}`)
  }
}

function imported({ servers }: ImportPlan): FoundConfig[] {
  const importedServers = servers.filter(
    ({ outcome }) => outcome === 'added' || outcome === 'duplicate',
  )
  return [...new Set(importedServers.map(({ from }) => from))]
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`Could not read ${file}: ${(error as Error).message}`)
  }
}

/** Asks the person, or answers no if there is no terminal. */
async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim())
  } finally {
    lines.close()
  }
}
