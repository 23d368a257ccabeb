import type { AccessSettings } from '../config/gateway-config.ts'
import { type Annotated, type Effect, effectOf, isOpenWorld } from './effect.ts'
import { matchesPattern, type NamePattern, readPattern } from './name-pattern.ts'

/** The rules of one place in the configuration: for all servers, or for one. */
export interface AccessRules {
  /** A tool must match one of these. Without a list, every tool passes. */
  readonly allow: readonly AccessRule[] | undefined
  readonly deny: readonly AccessRule[]
  readonly readOnly: boolean
}

/** An entry of `allow` or `deny`. */
export interface AccessRule {
  /** As it is written in the configuration. */
  readonly text: string
  readonly effect?: RuleEffect
  /** The tools it names. A name with several slashes can be split into server and tool in several ways. */
  readonly names: readonly ToolPattern[]
}

export type RuleEffect = Effect | 'open-world'

export interface ToolPattern {
  readonly server: NamePattern
  readonly tool: NamePattern
}

/** A tool by the names that the configuration uses, with the annotations that count. */
export interface JudgedTool {
  readonly server: string
  readonly name: string
  readonly annotations: Annotated['annotations']
  /** As the server defines it: rules about arguments have to know how the server reads them. */
  readonly inputSchema?: unknown
}

export const RULE_EFFECTS: readonly RuleEffect[] = ['read', 'write', 'destructive', 'open-world']

/** Marks an entry as a name, for tools that are named like an effect. */
export const NAME_MARK = 'tool:'

/**
 * Reads the rules of one place.
 *
 * A word such as `write` is an effect. Because a server can also have a tool of that name, both lists
 * take the stricter reading: in `deny` the word stands for the effect and the tool, in `allow` for the
 * effect only.
 *
 * @param scope in a server's own list, a slash is part of the tool's name
 */
export function readAccessRules(
  { allow, deny, readOnly }: AccessSettings,
  scope: 'gateway' | 'server',
): AccessRules {
  return {
    allow: allow?.map((text) => {
      const effect = effectNamed(text)
      return effect ? { text, effect, names: [] } : { text, names: readNames(text, scope) }
    }),
    deny: deny.map((text) => {
      const effect = effectNamed(text)
      return { text, ...(effect && { effect }), names: readNames(text, scope) }
    }),
    readOnly,
  }
}

/** The setting that hides a tool, such as `deny[0]`. Undefined if the rules permit the tool. */
export function hidingRule(
  tool: JudgedTool,
  { allow, deny, readOnly }: AccessRules,
): string | undefined {
  const denied = deny.findIndex((rule) => matchesRule(rule, tool))
  if (denied >= 0) return `deny[${denied}]`
  if (readOnly && effectOf(tool) !== 'read') return 'readOnly'
  return allow === undefined || allow.some((rule) => matchesRule(rule, tool)) ? undefined : 'allow'
}

/** Whether an entry of `allow` or `deny` is about a tool. */
export function matchesRule({ effect, names }: AccessRule, tool: JudgedTool): boolean {
  if (effect === 'open-world' ? isOpenWorld(tool) : effect && effectOf(tool) === effect) return true
  return names.some(
    (pattern) =>
      matchesPattern(pattern.server, tool.server) && matchesPattern(pattern.tool, tool.name),
  )
}

function effectNamed(text: string): RuleEffect | undefined {
  return RULE_EFFECTS.find((effect) => effect === text)
}

function readNames(text: string, scope: 'gateway' | 'server'): readonly ToolPattern[] {
  if (text.startsWith(NAME_MARK)) return [anyServer(text.slice(NAME_MARK.length))]
  return scope === 'server' || !text.includes('/') ? [anyServer(text)] : toolPatterns(text)
}

function anyServer(tool: string): ToolPattern {
  return { server: readPattern('*'), tool: readPattern(tool) }
}

/** Every way to read `server/tool`: the names of servers and tools can contain slashes. */
export function toolPatterns(text: string): readonly ToolPattern[] {
  const names: ToolPattern[] = []
  for (let at = text.indexOf('/'); at >= 0; at = text.indexOf('/', at + 1)) {
    names.push({
      server: readPattern(text.slice(0, at)),
      tool: readPattern(text.slice(at + 1)),
    })
  }
  return names
}
