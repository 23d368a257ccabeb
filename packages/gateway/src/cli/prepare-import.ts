import { readFile } from 'node:fs/promises'
import { type FoundConfig, findClientConfigs } from '../clients/find-client-configs.ts'
import type { Machine } from '../clients/known-client.ts'
import { KNOWN_CLIENTS } from '../clients/known-clients.ts'
import { type ImportPlan, planImport } from '../clients/plan-import.ts'
import { planReplacement, type ReplacementPlan } from '../clients/plan-replacement.ts'
import { writeImport } from '../clients/write-import.ts'
import { formatProblem } from '../config/config-problem.ts'
import { homeFolder, undoFolder } from '../system/data-folders.ts'
import { createFileChanges } from '../system/file-changes.ts'
import type { CommandCall, Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { count } from './format.ts'
import { plain } from './plain.ts'

export type Env = Machine['env']

/** An import that is planned, but not written. */
export interface PreparedImport {
  readonly file: string
  /** Whether our file exists already. */
  readonly isNew: boolean
  readonly found: readonly FoundConfig[]
  readonly plan: ImportPlan
  /** How many servers are new. */
  readonly added: number
}

export function thisMachine({ env, cwd }: Pick<CommandCall, 'env' | 'cwd'>): Machine {
  return { home: homeFolder(env), platform: process.platform, env, cwd }
}

/** Finds the servers of all clients and plans their import. @throws UsageError */
export async function prepareImport(file: string, machine: Machine): Promise<PreparedImport> {
  const found = await findClientConfigs(machine)
  const existing = await readIfExists(file)
  const planned = planImport(found, {
    file,
    home: machine.home,
    env: machine.env,
    ...(existing !== undefined && { existing }),
  })
  if ('problems' in planned) throw new UsageError(planned.problems.map(formatProblem).join('\n'))
  const { plan } = planned
  const added = Object.keys(plan.preview).length
  return { file, isNew: existing === undefined, found, plan, added }
}

/** Prints what becomes of each server: `+` is added, `=` is a duplicate, `-` stays in the client. */
export function showServers({ plan }: PreparedImport, terminal: Terminal): void {
  for (const { from, found, outcome, name = '', reason } of plan.servers) {
    const place = `from ${from.file}${from.project ? ` (project ${from.project})` : ''}`
    if (outcome === 'added') {
      terminal.print(plain(`+ ${name}: ${whatRuns(plan.preview[name] ?? {})}`))
      const renamed = name === found.name ? '' : `named "${found.name}", `
      terminal.print(plain(`    ${renamed}${place}`))
    } else if (outcome === 'duplicate') {
      const where = Object.hasOwn(plan.preview, name)
        ? 'the same as above'
        : 'already in the config file'
      terminal.print(plain(`= ${name}: ${where}, ${place}`))
    } else if (outcome === 'skipped') {
      terminal.print(plain(`- ${found.name}: ${reason}`))
      terminal.print(plain(`    ${place}`))
    }
  }
}

/** The command or URL of a server, without secrets. */
function whatRuns({ command, args, url, serverUrl }: Readonly<Record<string, unknown>>): string {
  const words =
    command === undefined ? [url ?? serverUrl] : [command, ...((args ?? []) as unknown[])]
  return words.join(' ')
}

/** Whether an import adds servers of the current project, which others may have written. */
export function addsProjectServers({ plan }: PreparedImport): boolean {
  return plan.servers.some(({ outcome, from }) => outcome === 'added' && from.project !== undefined)
}

/** Prints which files an import writes, and what a person has to do instead where it cannot. */
export function showFiles(
  { file, isNew, added, found }: PreparedImport,
  { files, manual }: ReplacementPlan,
  terminal: Terminal,
): void {
  const own =
    added > 0 ? [`${file} (${isNew ? 'new file, ' : ''}${count(added, 'server')} added)`] : []
  const isShared = (client: string) =>
    found.some((each) => each.file === client && each.path.length === 1 && each.project)
  const lines = [
    ...own,
    ...files.map((each) => {
      const note = isShared(each.file) ? '; part of the project, with paths of this machine' : ''
      return `${each.file} (servers replaced with the gateway${note})`
    }),
  ]
  if (lines.length > 0) terminal.print(`${count(lines.length, 'file')} to write:`)
  for (const line of lines) terminal.print(`  ${line}`)
  for (const { client, file: target, reason, snippet } of manual) {
    terminal.print(`\nEdit ${target} yourself. ${reason}`)
    terminal.print(`Remove the imported servers from ${client.label} and add:\n${snippet}`)
  }
}

/** Replaces nothing in the clients' files. */
export const NO_REPLACEMENT: ReplacementPlan = { files: [], manual: [] }

/** Writes an import as one change. Resolves to the files that were written. Rejects with a `FileChangeError`. */
export async function carryOutImport(
  { file, plan, added }: PreparedImport,
  { isReplacing, env }: { isReplacing: boolean; env: Env },
): Promise<readonly string[]> {
  const changes = createFileChanges(undoFolder(env))
  // plan again: the files may have changed while the person was deciding
  const { files } = isReplacing ? await planReplacement(plan, file) : NO_REPLACEMENT
  const written = await writeImport(plan, { file, clientFiles: files, changes })
  return added > 0 ? written : written.filter((each) => each !== file)
}

/** Where the clients store their servers on this machine, for a person who has none of them. */
export function placesLookedAt(machine: Machine): string[] {
  return KNOWN_CLIENTS.map((client) => {
    const files = client.files(machine).map(({ file }) => file)
    return `${client.label}: ${files.join(', ')}`
  })
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new UsageError(`Could not read ${file}: ${(error as Error).message}`)
  }
}
