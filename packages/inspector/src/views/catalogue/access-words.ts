import type { ToolReport } from '../../api/contract.ts'

const shown = {
  listed: 'It stands in the list of every agent.',
  'by-search': 'Agents find it by search.',
  withheld: 'Nobody for now: it has changed, and is withheld until it is accepted.',
} as const

const reach = {
  'this-machine': 'The gateway answers programs on this machine only.',
  'who-has-the-token': 'The gateway answers whoever shows its token.',
} as const

/** Who may use a tool and how, one sentence each. */
export function accessWords({ access }: Pick<ToolReport, 'access'>): string[] {
  const call =
    access.callWith === undefined
      ? 'They call it directly, by its name.'
      : `They call it with ${access.callWith}.`
  return access.shown === 'withheld'
    ? [shown.withheld, reach[access.reach]]
    : [shown[access.shown], call, reach[access.reach]]
}
