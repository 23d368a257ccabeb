import { resolve } from 'node:path'
import { planReplacement } from '../clients/plan-replacement.ts'
import { formatProblem } from '../config/config-problem.ts'
import { FileChangeError } from '../system/file-changes.ts'
import { typedCommand } from '../system/gateway-command.ts'
import { type CommandCall, FAILED, OK, type Stdio } from './command.ts'
import { configFlag, defaultConfigFile } from './default-config-file.ts'
import {
  carryOutImport,
  NO_REPLACEMENT,
  placesLookedAt,
  prepareImport,
  showFiles,
  showServers,
  thisMachine,
} from './prepare-import.ts'
import { createPrompt, InterruptedError, isInteractive } from './prompt.ts'

export async function runImport(call: CommandCall): Promise<number> {
  const { values, terminal, env, cwd, stdio } = call
  const file =
    typeof values.config === 'string' ? resolve(cwd, values.config) : defaultConfigFile(env)
  const machine = thisMachine(call)
  const prepared = await prepareImport(file, machine)
  const { plan, added, found } = prepared
  for (const problem of found.flatMap(({ problems }) => problems)) {
    terminal.say(formatProblem(problem))
  }
  if (values.json) {
    terminal.print(JSON.stringify({ file, servers: plan.preview }, null, 2))
    return OK
  }
  if (plan.servers.length === 0) {
    terminal.say('No servers found in the configuration of any MCP client. Looked at:')
    for (const place of placesLookedAt(machine)) terminal.say(`  ${place}`)
    terminal.say(`Add servers yourself with ${typedCommand()} add NAME -- COMMAND.`)
    return FAILED
  }
  showServers(prepared, terminal)
  if (added > 0) terminal.print(JSON.stringify({ mcpServers: plan.preview }, null, 2))
  const replacement = values.replace ? await planReplacement(plan, file) : NO_REPLACEMENT
  showFiles(prepared, replacement, terminal)
  if (added + replacement.files.length === 0) {
    terminal.say(`Nothing to import: ${file} has every server that can be imported.`)
    return OK
  }
  if (!values.yes && !(await confirm(stdio))) {
    const hint = isInteractive(stdio) ? '' : ' Use --yes to write without confirmation.'
    terminal.say(`Nothing was written.${hint}`)
    return FAILED
  }
  try {
    const isReplacing = values.replace === true
    for (const written of await carryOutImport(prepared, { isReplacing, env })) {
      terminal.say(`Wrote ${written}`)
    }
  } catch (error) {
    if (!(error instanceof FileChangeError)) throw error
    terminal.say(`${error.message}\nNothing was changed.`)
    return FAILED
  }
  const command = typedCommand()
  const flag = configFlag(file, env)
  terminal.say('\nNext:')
  terminal.say(`  ${command} doctor${flag}   check that every server connects`)
  if (values.replace) terminal.say('  Restart the clients, so that they connect to the gateway.')
  else {
    terminal.say(`  ${command} import --replace${flag}   let the clients use the gateway`)
  }
  terminal.say(`  ${command} undo   restore every file that this import changed`)
  return OK
}

/** Asks the person, or answers no if there is no terminal. */
async function confirm(stdio: Stdio): Promise<boolean> {
  if (!isInteractive(stdio)) return false
  const prompt = createPrompt(stdio)
  try {
    return await prompt.confirm('Write?')
  } catch (error) {
    if (error instanceof InterruptedError) return false
    throw error
  } finally {
    prompt.close()
  }
}
