import type { AccessSettings } from '../config/gateway-config.ts'
import {
  type AccessEntry,
  matchesPrompt,
  matchesResource,
  matchesServer,
  matchesSkill,
  matchesTool,
  readAccessEntry,
  touchesServer,
} from './access-entry.ts'
import { allowed, type Decider, denied } from './decider.ts'
import { effectOf } from './effect.ts'
import type { Decision } from './rights.ts'

/** A selection that is the same for everybody: a profile, or what a credential permits. */
export interface Selection extends Partial<AccessSettings> {
  /** What it is called in reasons. @example profile "support" */
  readonly label: string
  /** @default all */
  readonly servers?: readonly string[] | undefined
}

/** Allows what a selection contains. It never grants anything: others must allow it as well. */
export function selectionDecider({
  label,
  servers,
  allow,
  deny = [],
  readOnly = false,
}: Selection): Decider {
  const included = servers && new Set(servers)
  const allows = allow?.map((text) => readAccessEntry(text, 'allow'))
  const denies = deny.map((text, index) => ({
    entry: readAccessEntry(text, 'deny'),
    decision: denied(`${label}: deny[${index}]`),
  }))
  const isSelected = allowed(label)
  const notIncluded = denied(`${label}: servers`)
  const notAllowed = denied(`${label}: allow`)
  const notReadOnly = denied(`${label}: readOnly`)

  function decide(
    server: string,
    isDenied: (entry: AccessEntry) => boolean,
    isAllowed: (entry: AccessEntry) => boolean,
  ): Decision {
    if (included && !included.has(server)) return notIncluded
    const deniedBy = denies.find(({ entry }) => isDenied(entry))
    if (deniedBy) return deniedBy.decision
    return allows === undefined || allows.some(isAllowed) ? isSelected : notAllowed
  }

  const decideTool: Decider['tool'] = (tool) => {
    const isMatch = (entry: AccessEntry) => matchesTool(entry, tool)
    const decision = decide(tool.server, isMatch, isMatch)
    return decision.isAllowed && readOnly && effectOf(tool) !== 'read' ? notReadOnly : decision
  }

  return {
    tool: decideTool,
    call: decideTool,
    resource(resource) {
      const isMatch = (entry: AccessEntry) => matchesResource(entry, resource)
      return decide(resource.server, isMatch, isMatch)
    },
    prompt(prompt) {
      const isMatch = (entry: AccessEntry) => matchesPrompt(entry, prompt)
      return decide(prompt.server, isMatch, isMatch)
    },
    skill(skill) {
      const isMatch = (entry: AccessEntry) => matchesSkill(entry, skill)
      return decide(skill.server, isMatch, isMatch)
    },
    server(server) {
      const decision = decide(
        server,
        (entry) => touchesServer(entry, server),
        (entry) => matchesServer(entry, server),
      )
      return decision.isAllowed && readOnly ? notReadOnly : decision
    },
    reaches: (server, kind) =>
      decide(
        server,
        (entry) => matchesServer(entry, server),
        (entry) => touchesServer(entry, server, kind),
      ).isAllowed,
  }
}
