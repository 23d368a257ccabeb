import {
  type AccessRule,
  type JudgedTool,
  matchesRule,
  NAME_MARK,
  readAccessRules,
  type ToolPattern,
  toolPatterns,
} from './access-rules.ts'
import { matchesEverything, matchesPattern, type NamePattern, readPattern } from './name-pattern.ts'
import type { ReachedKind } from './rights.ts'
import { uriSpellings } from './uri-spellings.ts'

/** An entry of `allow` or `deny` that can also be about resources, prompts and skills. */
export interface AccessEntry {
  readonly list: 'allow' | 'deny'
  /** What it says about tools. */
  readonly tools: AccessRule
  /** Servers and URIs. */
  readonly resources: readonly ToolPattern[]
  /** Servers and names. */
  readonly prompts: readonly ToolPattern[]
  /** Servers and paths. */
  readonly skills: readonly ToolPattern[]
  /** Servers of which it covers everything. */
  readonly servers: readonly NamePattern[]
}

const RESOURCE_MARK = 'resource:'
const PROMPT_MARK = 'prompt:'
const SKILL_MARK = 'skill:'

/**
 * Reads an entry: names, patterns and effects as in `allow` and `deny` of a server, `resource:…`,
 * `prompt:…` and `skill:…`.
 *
 * `SERVER/*` and `*` include the resources, prompts and skills of a server; every other entry is about one kind
 * of thing. As everywhere, an ambiguous entry has the stricter meaning in its list.
 */
export function readAccessEntry(text: string, list: AccessEntry['list']): AccessEntry {
  const lists = { allow: list === 'allow' ? [text] : [], deny: list === 'deny' ? [text] : [] }
  const rules = readAccessRules({ ...lists, readOnly: false }, 'gateway')
  const tools = (list === 'allow' ? rules.allow : rules.deny)![0]!
  const others = { resources: [], prompts: [], skills: [], servers: [] }
  const none = { list, tools: { text, names: [] }, ...others }
  // A tool can be named like this as well, so a `deny` is about both.
  const ambiguous = list === 'deny' ? { tools } : {}
  if (text.startsWith(RESOURCE_MARK)) {
    const resources = readResources(text.slice(RESOURCE_MARK.length), list)
    return { ...none, ...ambiguous, resources }
  }
  if (text.startsWith(PROMPT_MARK)) {
    return { ...none, ...ambiguous, prompts: readPlaces(text.slice(PROMPT_MARK.length)) }
  }
  if (text.startsWith(SKILL_MARK)) {
    return { ...none, ...ambiguous, skills: readPlaces(text.slice(SKILL_MARK.length)) }
  }
  if (text.startsWith(NAME_MARK)) return { ...none, tools }
  const whole = tools.names.filter(({ tool }) => matchesEverything(tool))
  return {
    list,
    tools,
    resources: whole,
    prompts: whole,
    skills: whole,
    servers: whole.map(({ server }) => server),
  }
}

/** `SERVER/NAME`, or a name on any server. */
function readPlaces(text: string): readonly ToolPattern[] {
  return text.includes('/') ? toolPatterns(text) : [anyServer(text)]
}

/** `SERVER/URI`, or a URI with its scheme on any server. */
function readResources(text: string, list: AccessEntry['list']): readonly ToolPattern[] {
  if (!/^[a-z][a-z0-9+.-]*:/i.test(text)) return readPlaces(text)
  return list === 'allow' ? [anyServer(text)] : [anyServer(text), ...toolPatterns(text)]
}

function anyServer(name: string): ToolPattern {
  return { server: readPattern('*'), tool: readPattern(name) }
}

export function matchesTool({ tools }: AccessEntry, tool: JudgedTool): boolean {
  return matchesRule(tools, tool)
}

/** A URI that can be written in several ways is allowed only if all of them are. */
export function matchesResource(
  { list, resources }: AccessEntry,
  { server, uri }: { readonly server: string; readonly uri: string },
): boolean {
  return resources.some((pattern) => {
    if (!matchesPattern(pattern.server, server)) return false
    if (matchesEverything(pattern.tool)) return true
    const spellings = uriSpellings(uri)
    const isMatch = (spelling: string) => matchesPattern(pattern.tool, spelling)
    return list === 'allow' ? spellings.every(isMatch) : spellings.some(isMatch)
  })
}

export function matchesPrompt(
  { prompts }: AccessEntry,
  { server, name }: { readonly server: string; readonly name: string },
): boolean {
  return prompts.some(
    (pattern) => matchesPattern(pattern.server, server) && matchesPattern(pattern.tool, name),
  )
}

export function matchesSkill(
  { skills }: AccessEntry,
  { server, name }: { readonly server: string; readonly name: string },
): boolean {
  return skills.some(
    (pattern) => matchesPattern(pattern.server, server) && matchesPattern(pattern.tool, name),
  )
}

/** Whether everything of a server matches. */
export function matchesServer({ servers }: AccessEntry, server: string): boolean {
  return servers.some((pattern) => matchesPattern(pattern, server))
}

/** Whether something of a server can match, or something of one kind. */
export function touchesServer(entry: AccessEntry, server: string, kind?: ReachedKind): boolean {
  const { tools, resources, prompts, skills } = entry
  const patterns = { tool: tools.names, resource: resources, prompt: prompts, skill: skills }
  if (tools.effect && (kind === undefined || kind === 'tool')) return true
  return (kind ? [patterns[kind]] : Object.values(patterns)).some((places) =>
    places.some((place) => matchesPattern(place.server, server)),
  )
}
