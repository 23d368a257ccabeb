import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type FoundConfig, findClientConfigs } from '../clients/find-client-configs.ts'
import { type ImportPlan, planImport } from '../clients/plan-import.ts'
import { writeImport } from '../clients/write-import.ts'
import { formatProblem } from '../config/config-problem.ts'
import { type Command, NOT_WELL, OK, type Terminal } from './command.ts'
import { UsageError } from './usage-error.ts'

export const importCommand: Command = {
  name: 'import',
  summary: 'takes the servers of the clients on this machine into one file',
  usage: '[options]',
  options: {
    config: { type: 'string', short: 'c' },
    json: { type: 'boolean' },
    yes: { type: 'boolean', short: 'y' },
    replace: { type: 'boolean' },
  },
  help: [
    '-c, --config FILE  the file to write; ~/.config/toolsearch/toolsearch.json if left out',
    '--replace          put the gateway in the place of the servers in the clients as well',
    '-y, --yes          write without asking',
    '--json             print what would be written, and write nothing',
  ],
  examples: ['toolsearch import', 'toolsearch import --replace'],
  async run({ values, terminal, env }) {
    const home = homedir()
    const usual = join(
      env.XDG_CONFIG_HOME ?? join(home, '.config'),
      'toolsearch',
      'toolsearch.json',
    )
    const file = resolve(typeof values.config === 'string' ? values.config : usual)
    const found = await findClientConfigs({
      home,
      platform: process.platform,
      env,
      cwd: process.cwd(),
    })
    for (const problem of found.flatMap(({ problems }) => problems)) {
      terminal.say(formatProblem(problem))
    }
    const existing = await readIfThere(file)
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
      terminal.say('There is nothing to import.')
      return plan.servers.length > 0 ? OK : NOT_WELL
    }
    if (!values.yes && !(await isWanted(`Write this to ${file}? [y/N] `))) {
      terminal.say('Nothing was written.')
      return NOT_WELL
    }
    const replaceIn = values.replace ? imported(plan) : []
    for (const written of await writeImport(plan, { file, replaceIn })) {
      const kept = written.backup ? ` (as it was: ${written.backup})` : ''
      terminal.say(`Wrote ${written.file}${kept}`)
    }
    return OK
  },
}

function show({ preview, servers }: ImportPlan, terminal: Terminal): void {
  for (const { from, found, fate, name, reason } of servers) {
    const where = `${found.name} in ${from.file}`
    if (fate === 'added') terminal.print(`+ ${name}: ${where}`)
    else if (fate === 'same') terminal.print(`= ${name}: ${where}`)
    else if (fate === 'left') terminal.print(`- ${where}: ${reason}`)
  }
  terminal.print(JSON.stringify({ mcpServers: preview }, null, 2))
}

function imported({ servers }: ImportPlan): FoundConfig[] {
  const taken = servers.filter(({ fate }) => fate === 'added' || fate === 'same')
  return [...new Set(taken.map(({ from }) => from))]
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`)
  }
}

/** Asks only where somebody can answer. */
async function isWanted(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    return /^y(es)?$/i.test((await lines.question(question)).trim())
  } finally {
    lines.close()
  }
}
