import type { AccessRuleConfig } from '../config/team-config.ts'
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
import type { JudgedTool } from './access-rules.ts'
import {
  type ArgumentConditions,
  describeConditions,
  meetsConditions,
  readArgumentConditions,
} from './argument-conditions.ts'
import { allowed, type Decider, denied } from './decider.ts'
import type { Decision } from './rights.ts'

/** A rule of `toolsearch.access.rules`, read once for everybody it applies to. */
export interface CompiledRule {
  readonly allow: readonly CompiledEntry[]
  readonly deny: readonly CompiledEntry[]
}

interface CompiledEntry {
  readonly entry: AccessEntry
  readonly decision: Decision
  readonly conditions?: ArgumentConditions
  /** The conditions, for people. */
  readonly description?: string
  /** The decision on a call with other arguments. */
  readonly otherwise: Decision
}

export function compileRule(rule: AccessRuleConfig, index: number): CompiledRule {
  const place = `toolsearch.access.rules[${index}]`
  const conditions = rule.arguments && readArgumentConditions(rule.arguments)
  const otherwise = denied(`${place}.arguments`)
  return {
    allow: (rule.allow ?? []).map((text, at) => ({
      entry: readAccessEntry(text, 'allow'),
      decision: allowed(`${place}.allow[${at}]`),
      ...(conditions && {
        conditions,
        description: `${describeConditions(rule.arguments)} (${place}.arguments)`,
      }),
      otherwise,
    })),
    deny: (rule.deny ?? []).map((text, at) => ({
      entry: readAccessEntry(text, 'deny'),
      decision: denied(`${place}.deny[${at}]`),
      otherwise,
    })),
  }
}

const NOT_ALLOWED = denied('no rule of toolsearch.access.rules allows it')

/** Allows what one of the rules allows and none of them denies. */
export function ruleDecider(rules: readonly CompiledRule[]): Decider {
  const denies = rules.flatMap(({ deny }) => deny)
  const allows = rules.flatMap(({ allow }) => allow)
  // arguments are known only when a tool is called
  const always = allows.filter(({ conditions }) => !conditions)
  const denyingTools = byServer(denies)
  const allowingTools = byServer(allows)

  function decide(
    isDenied: (entry: AccessEntry) => boolean,
    isAllowed: (entry: AccessEntry) => boolean,
  ): Decision {
    const deniedBy = denies.find(({ entry }) => isDenied(entry))
    const decisive = deniedBy ?? always.find(({ entry }) => isAllowed(entry))
    return decisive?.decision ?? NOT_ALLOWED
  }

  return {
    tool(tool) {
      const isMatch = ({ entry }: CompiledEntry) => matchesTool(entry, tool)
      const deniedBy = denyingTools(tool).find(isMatch)
      if (deniedBy) return deniedBy.decision
      const matching = allowingTools(tool).filter(isMatch)
      const [first] = matching
      if (!first) return NOT_ALLOWED
      const allowedBy = matching.find(({ conditions }) => !conditions)
      if (allowedBy) return allowedBy.decision
      const withArguments = [...new Set(matching.map(({ description }) => description!))]
      return { ...first.decision, withArguments }
    },
    call(tool, args) {
      const isMatch = ({ entry }: CompiledEntry) => matchesTool(entry, tool)
      const deniedBy = denyingTools(tool).find(isMatch)
      if (deniedBy) return deniedBy.decision
      const matching = allowingTools(tool).filter(isMatch)
      const allowedBy = matching.find(
        ({ conditions }) => !conditions || meetsConditions(conditions, args, tool.inputSchema),
      )
      return allowedBy?.decision ?? matching[0]?.otherwise ?? NOT_ALLOWED
    },
    resource(resource) {
      const isMatch = (entry: AccessEntry) => matchesResource(entry, resource)
      return decide(isMatch, isMatch)
    },
    prompt(prompt) {
      const isMatch = (entry: AccessEntry) => matchesPrompt(entry, prompt)
      return decide(isMatch, isMatch)
    },
    skill(skill) {
      const isMatch = (entry: AccessEntry) => matchesSkill(entry, skill)
      return decide(isMatch, isMatch)
    },
    server: (server) =>
      decide(
        (entry) => touchesServer(entry, server),
        (entry) => matchesServer(entry, server),
      ),
    reaches(server, kind) {
      if (denies.some(({ entry }) => matchesServer(entry, server))) return false
      const possible = kind === 'tool' ? allows : always
      return possible.some(({ entry }) => touchesServer(entry, server, kind))
    },
  }
}

/** The entries that can be about a tool, in their order. A long list of names is divided by server. */
function byServer(
  entries: readonly CompiledEntry[],
): (tool: JudgedTool) => readonly CompiledEntry[] {
  const known = new Map<string, readonly CompiledEntry[]>()
  const general = entries.filter(({ entry }) => !namedServers(entry))
  const named = new Set(entries.flatMap(({ entry }) => namedServers(entry) ?? []))
  for (const server of named) {
    known.set(
      server,
      entries.filter(({ entry }) => namedServers(entry)?.includes(server) ?? true),
    )
  }
  return ({ server }) => known.get(server) ?? general
}

/** The servers of an entry that names its servers. Undefined if it can be about any server. */
function namedServers({ tools: { effect, names } }: AccessEntry): readonly string[] | undefined {
  if (effect || names.some(({ server }) => server.parts.length > 1)) return undefined
  return names.map(({ server }) => server.text)
}
