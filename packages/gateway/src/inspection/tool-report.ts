import { definitionFingerprint } from '../offering/approvals/definition-fingerprint.ts'
import { promotionOf } from '../offering/approvals/promotion-of.ts'
import { CALL, CALL_BY_EFFECT } from '../offering/meta-tools/call-tools.ts'
import { DESCRIBE } from '../offering/meta-tools/describe-tools.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { ToolAccess, ToolLine, ToolReport, ToolSettings, WithheldReason } from './api.ts'
import type { CatalogueSnapshot } from './catalogue-snapshot.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { skillReport } from './skill-report.ts'

/** Everything the inspector shows about one tool; `undefined` if no tool has that name. */
export function toolReport(
  target: InspectionTarget,
  { byName }: CatalogueSnapshot,
  name: string,
): ToolReport | undefined {
  const { gateway, approvals, activity } = target
  const line = byName.get(name)
  const origin = line && gateway.origin(name)
  if (!origin) return undefined
  const { tool: definition } = origin
  const { catalogue } = gateway.toolSearch
  const searchHint = catalogue.get(name)?.searchHint
  const skill = skillReport(origin, gateway)
  const { withheld: reason, ...rest } = line
  const history = approvals.history(line.server, definition.name)
  const promotion = promotionOf(definition)
  const approved = line.isChanged && approvals.approvedDefinition(line.server, definition.name)
  return {
    ...rest,
    ...(skill && { skill }),
    originalName: definition.name,
    definition,
    fingerprint: definitionFingerprint(definition),
    ...(searchHint !== undefined && { searchHint }),
    history,
    access: accessTo(target, line),
    ...(reason && { withheld: { reason, message: messageFor(reason, skill !== undefined) } }),
    ...(approved && { approved }),
    ...(promotion !== undefined && { promotion }),
    settings: settingsOf(target, line.server, definition.name),
    found: activity.timesFound(name),
    called: activity.timesCalled(name),
  }
}

function messageFor(reason: WithheldReason, isSkill: boolean): string {
  const it = isSkill ? 'skill' : 'tool'
  const effect = isSkill
    ? 'Agents can neither find nor read it'
    : 'Agents cannot find it, and calls are rejected'
  if (reason === 'blocked') return `You blocked this ${it}. ${effect}, even if it changes.`
  const changed = isSkill
    ? 'This skill changed since it was approved.'
    : 'The server changed the definition of this tool since it was approved.'
  const what = reason === 'new' ? `This ${it} is new and nobody has approved it yet.` : changed
  return `${what} ${effect} until you accept it.`
}

function settingsOf({ config }: InspectionTarget, server: string, tool: string): ToolSettings {
  const { pins, servers } = config()
  const settings = servers.find(({ name }) => name === server)
  const hint = settings?.hints[tool]
  const override = settings?.overrides[tool]
  return {
    isPinned: pins.includes(`${server}/${tool}`),
    ...(hint !== undefined && { hint }),
    ...(override !== undefined && { override: override as JsonObject }),
  }
}

function accessTo({ config, hasToken }: InspectionTarget, line: ToolLine): ToolAccess {
  const { callTools } = config()
  const callTool = callTools === 'one' ? CALL : CALL_BY_EFFECT[line.effect]
  const callWith = line.isSkill ? DESCRIBE : callTool
  return {
    shown: line.withheld ? 'withheld' : line.isPinned ? 'listed' : 'by-search',
    ...(!line.isPinned && { callWith }),
    reach: hasToken ? 'token-holders' : 'this-machine',
  }
}
