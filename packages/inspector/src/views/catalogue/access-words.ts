import type { ToolReport } from '../../api/contract.ts'

const shown = {
  listed: 'Listed for every agent.',
  'by-search': 'Agents find it by search.',
  withheld: 'Withheld from agents: the definition changed and must be accepted first.',
} as const

const reach = {
  'this-machine': 'The gateway accepts requests from this machine only.',
  'token-holders': 'The gateway accepts requests with its token only.',
} as const

/** Who can use a tool and how, one sentence each. */
export function accessWords({ access }: Pick<ToolReport, 'access'>): string[] {
  const call =
    access.callWith === undefined
      ? 'Agents call it directly by its name.'
      : `Agents call it with ${access.callWith}.`
  return access.shown === 'withheld'
    ? [shown.withheld, reach[access.reach]]
    : [shown[access.shown], call, reach[access.reach]]
}
