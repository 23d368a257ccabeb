import { readFile } from 'node:fs/promises'
import { closestKey } from '../config/closest-key.ts'
import { formatProblem } from '../config/config-problem.ts'
import { type ConfigEdit, ConfigEditError, editConfig } from '../config/edit-config.ts'
import { type ServerEntries, type ServerPlace, serverEntries } from '../config/server-entries.ts'
import { runningFolder, undoFolder } from '../system/data-folders.ts'
import { createFileChanges, FileChangeError } from '../system/file-changes.ts'
import { typedCommand } from '../system/gateway-command.ts'
import { runningGateways } from '../system/running-gateways.ts'
import type { CommandCall, Terminal } from './command.ts'
import { UsageError } from './command-errors.ts'
import { configFlag } from './default-config-file.ts'

/** A configuration file that a command edits. */
export interface OpenConfigFile extends ServerEntries {
  /** The server with this name. @throws UsageError with the closest name if there is none */
  server(name: string | undefined): ServerPlace
  /** Writes the file so that it can be undone, and keeps its comments. @throws UsageError */
  edit(title: string, edits: readonly ConfigEdit[]): Promise<void>
  /** Says what to do after an edit. */
  sayNext(terminal: Terminal): Promise<void>
}

/** Opens a configuration file for edits. @throws UsageError if it cannot be read */
export async function openConfigFile(
  file: string,
  env: CommandCall['env'],
  /** The text to start with if the file does not exist. */
  newText?: string,
): Promise<OpenConfigFile> {
  const text = await readText(file, newText)
  const entries = serverEntries(text, file)
  if ('problems' in entries) throw new UsageError(entries.problems.map(formatProblem).join('\n'))
  const { servers } = entries
  return {
    ...entries,

    server(name) {
      const names = [...servers.keys()]
      const list = names.length > 0 ? `Its servers: ${names.join(', ')}.` : 'It has no servers.'
      if (name === undefined) throw new UsageError(`Specify a server of ${file}. ${list}`)
      const found = servers.get(name)
      if (found) return found
      const closest = closestKey(name, names)
      const hint = closest ? `Did you mean "${closest}"?` : list
      throw new UsageError(`${file} has no server "${name}". ${hint}`)
    },

    async edit(title, edits) {
      try {
        const changed = editConfig(text, edits)
        await createFileChanges(undoFolder(env)).write(title, [{ file, text: changed }])
      } catch (error) {
        if (error instanceof ConfigEditError) throw new UsageError(`${file}: ${error.message}`)
        if (error instanceof FileChangeError) throw new UsageError(error.message)
        throw error
      }
    },

    async sayNext(terminal) {
      const running = await runningGateways(runningFolder(env))
      const flag = configFlag(file, env)
      terminal.say(
        running.some(({ configFile }) => configFile === file)
          ? 'The running gateway applies the change.'
          : `Check it with: ${typedCommand()} doctor${flag}`,
      )
      terminal.say(`Undo with: ${typedCommand()} undo`)
    },
  }
}

async function readText(file: string, newText: string | undefined): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' && newText !== undefined) return newText
    throw new UsageError(`Could not read ${file}: ${message}`)
  }
}
