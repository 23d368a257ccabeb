import type { SharedTools } from './shared-tools.ts'
import type { ToolOrigin } from './synced-tools.ts'

/** Why a tool is withheld, and how a person can change that. */
export function approvalNeeded(shared: SharedTools, origin: ToolOrigin): string {
  const { name } = origin
  const reasons = {
    new: `"${name}" is new and has not been approved.`,
    blocked: `"${name}" is blocked.`,
    changed: `The ${origin.skill ? 'content' : 'definition'} of "${name}" changed since it was approved.`,
  }
  const state = shared.approvalOf(origin)
  const reason = state === 'approved' ? reasons.changed : reasons[state]
  const used = origin.skill ? 'read' : 'called'
  return `${reason} It cannot be ${used} until a person runs: toolsearch accept ${name}`
}
