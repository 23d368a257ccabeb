import type { Gateway } from '../offering/gateway.ts'
import { type CommandCall, FAILED, OK } from './command.ts'
import { noSuchTools, UsageError } from './command-errors.ts'
import { fetchSkills } from './fetch-skills.ts'
import { recordCommandAction } from './record-command-action.ts'
import { withGateway } from './with-gateway.ts'

interface DecideOptions {
  readonly decide: (gateway: Gateway, name: string) => boolean
  /** Such as `Accepted`. */
  readonly done: string
  /** Such as `accepted`: the key in JSON output. */
  readonly key: string
  /** The tools to decide about if the command line names none. */
  readonly names?: (gateway: Gateway) => readonly string[]
  /** What to say if there are none. */
  readonly none?: (gateway: Gateway) => string
}

/** Runs a command that decides about tools, or takes back the last decision with `--undo`. */
export function runDecision(call: CommandCall, options: DecideOptions): Promise<number> {
  const { terminal, values, args } = call
  const isUndo = values.undo === true
  if (args.length === 0 && (isUndo || !options.names)) {
    throw new UsageError('Name the tools. To see which tools wait, run toolsearch review.')
  }
  return withGateway(call, async ({ gateway, approvals }) => {
    await fetchSkills(gateway, args)
    const names = args.length > 0 ? args : (options.names?.(gateway) ?? [])
    const unknown = names.filter((name) => !gateway.origin(name))
    const known = names.filter((name) => !unknown.includes(name))
    const decided = known.filter((name) =>
      isUndo ? gateway.undoDecision(name) : options.decide(gateway, name),
    )
    // Before anybody reads that it is done.
    await approvals.saved()
    const action = isUndo ? 'undo' : options.key === 'accepted' ? 'accept' : 'block'
    await recordCommandAction(call, { action: `tool.${action}`, names: decided })
    const unchanged = known.filter((name) => !decided.includes(name))
    const key = isUndo ? 'undone' : options.key
    if (values.json) {
      const data = { [key]: decided, ...(isUndo && { unchanged }), unknown }
      terminal.print(JSON.stringify(data, null, 2))
    } else {
      const done = isUndo ? 'Undid the last decision about' : options.done
      for (const name of decided) terminal.print(`${done} ${name}`)
      for (const name of unchanged) terminal.say(`There is no decision to undo about ${name}.`)
      for (const name of unknown) terminal.say(noSuchTools([name]))
      if (names.length === 0 && options.none) terminal.say(options.none(gateway))
    }
    return unknown.length + unchanged.length > 0 ? FAILED : OK
  })
}
