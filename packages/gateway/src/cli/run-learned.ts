import { createLearning, type Learning, type UseFilter } from 'toolsearch/learning'
import { type CommandCall, OK } from './command.ts'
import { findConfig } from './find-config.ts'
import { count } from './format.ts'
import { openCommandRecords } from './open-command-records.ts'
import { plain, plainJson } from './plain.ts'
import { recordCommandAction } from './record-command-action.ts'
import { UsageError } from './usage-error.ts'

const ACTIONS = 'Use toolsearch learned list or toolsearch learned forget.'

/** Lists or forgets what searches have learned from use. @throws UsageError */
export async function runLearned(call: CommandCall): Promise<number> {
  const [action = 'list', ...rest] = call.args
  if (rest.length > 0) throw new UsageError(`Unexpected argument "${rest[0]}". ${ACTIONS}`)
  if (action !== 'list' && action !== 'forget') {
    throw new UsageError(`Unknown action "${action}". ${ACTIONS}`)
  }
  const filter = readFilter(call)
  if (action === 'forget' && Object.keys(filter).length === 0 && call.values.all !== true) {
    throw new UsageError('What should be forgotten? Add --tool NAME, --person ID or --all.')
  }
  const { config } = await findConfig(call, { needsServers: false })
  const records = await openCommandRecords(call)
  try {
    const store = await records.openUses()
    const learning = createLearning(store && { store })
    if (action === 'list') return await list(call, await learning.uses(filter), config.learning)
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
    ...(typeof person === 'string' && { person }),
  }
}

type Uses = Awaited<ReturnType<Learning['uses']>>

async function list(
  { values, terminal }: CommandCall,
  uses: Uses,
  setting: 'off' | 'person' | 'shared',
): Promise<number> {
  if (values.json) {
    const shown = uses.map(({ id: _, at, ...use }) => ({ ...use, at: new Date(at).toISOString() }))
    terminal.print(plainJson({ learning: setting, uses: shown }, 2))
    return OK
  }
  for (const { tool, words, person, at } of uses) {
    terminal.print(
      plain(`${new Date(at).toISOString().slice(0, 10)}  ${tool}  "${words}"  ${person}`),
    )
  }
  if (uses.length === 0) terminal.say('Nothing has been learned yet.')
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
  else terminal.print(`Forgot ${count(forgotten, 'use')}.`)
  return OK
}
