import { createLearning, type Learning, type UseFilter } from 'toolsearch/learning'
import { LOCAL_PERSON } from '../identity/person.ts'
import { type CommandCall, OK } from './command.ts'
import { UsageError } from './command-errors.ts'
import { findConfig } from './find-config.ts'
import { count } from './format.ts'
import { openCommandRecords } from './open-command-records.ts'
import { plain, plainJson } from './plain.ts'
import { recordCommandAction } from './record-command-action.ts'

/** What people read and write for the person at this machine. */
const LOCAL = 'local'
const ACTIONS = 'Use toolsearch learned list or toolsearch learned forget.'

/** Lists or forgets what searches have learned from use. @throws UsageError */
export async function runLearned(call: CommandCall): Promise<number> {
  const [action = 'list', ...rest] = call.args
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}". ${ACTIONS}`)
  if (action !== 'list' && action !== 'forget') {
    throw new UsageError(`Unknown action "${action}". ${ACTIONS}`)
  }
  const filter = readFilter(call)
  const hasFilter = Object.keys(filter).length > 0
  if (call.values.all === true && hasFilter) {
    throw new UsageError('--all cannot be combined with --tool or --person.')
  }
  if (action === 'forget' && !hasFilter && call.values.all !== true) {
    throw new UsageError('What should be forgotten? Add --tool NAME, --person ID or --all.')
  }
  const { config } = await findConfig(call, { needsServers: false })
  const records = await openCommandRecords(call)
  try {
    const store = await records.openUses()
    const learning = createLearning(store && { store })
    if (action === 'list') {
      const uses = await learning.uses(filter)
      return list(call, uses, { setting: config.learning, hasFilter })
    }
    const forgotten = await learning.forget(filter)
    await records.postgres?.announceForgotten()
    return await reportForgotten(call, forgotten, filter)
  } finally {
    await records.close()
  }
}

function readFilter({ values }: CommandCall): UseFilter {
  const { tool, person } = values
  return {
    ...(typeof tool === 'string' && { tool }),
    ...(typeof person === 'string' && { person: person === LOCAL ? LOCAL_PERSON.id : person }),
  }
}

type Uses = Awaited<ReturnType<Learning['uses']>>

function list(
  { values, terminal }: CommandCall,
  uses: Uses,
  {
    setting,
    hasFilter,
  }: { readonly setting: 'off' | 'person' | 'shared'; readonly hasFilter: boolean },
): number {
  if (values.json) {
    const shown = uses.map(({ id: _, at, ...use }) => ({ ...use, at: new Date(at).toISOString() }))
    terminal.print(plainJson({ learning: setting, uses: shown }, 2))
    return OK
  }
  for (const { tool, words, person, at } of uses) {
    const day = new Date(at).toISOString().slice(0, 10)
    const who = person === LOCAL_PERSON.id ? LOCAL : person
    terminal.print(plain(`${day}  ${tool}  "${words}"  ${who}`))
  }
  if (uses.length === 0) {
    terminal.say(hasFilter ? 'No uses match.' : 'Nothing has been learned yet.')
  }
  if (setting === 'off') {
    terminal.say('Learning is off. To turn it on, set "learning" to "person" or "shared".')
  }
  return OK
}

async function reportForgotten(
  call: CommandCall,
  forgotten: number,
  filter: UseFilter,
): Promise<number> {
  const { values, terminal } = call
  await recordCommandAction(call, { action: 'learned.forget', names: Object.values(filter) })
  if (values.json) terminal.print(plainJson({ forgotten }, 2))
  else if (forgotten > 0) terminal.print(`Forgot ${count(forgotten, 'use')}.`)
  else if (Object.keys(filter).length === 0) terminal.print('Nothing has been learned yet.')
  else {
    terminal.print('No uses match, so nothing was forgotten. List them with toolsearch learned.')
  }
  return OK
}
