import type { ToolReport } from '../../api/contract.ts'

const shown = {
  listed: 'Listed in every request.',
  'by-search': 'Agents find it by search.',
  withheld: 'Withheld: agents cannot find or use it.',
} as const

const reach = {
  'this-machine': 'The gateway accepts requests from this machine only.',
  'token-holders': 'The gateway accepts requests with its token only.',
} as const

/** Describes who can use a tool and how, as a list of sentences. */
export function describeAccess({ access, skill }: Pick<ToolReport, 'access' | 'skill'>): string[] {
  const use = skill ? 'read' : 'call'
  const call =
    access.callWith === undefined
      ? 'Agents call it directly by its name.'
      : `Agents ${use} it with ${access.callWith}.`
  return access.shown === 'withheld'
    ? [shown.withheld, reach[access.reach]]
    : [shown[access.shown], call, reach[access.reach]]
}
