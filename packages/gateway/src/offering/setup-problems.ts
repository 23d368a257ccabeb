import { readAccessEntry } from '../access/access-entry.ts'
import {
  type AccessRule,
  NAME_MARK,
  RULE_EFFECTS,
  readAccessRules,
  type ToolPattern,
  toolPatterns,
} from '../access/access-rules.ts'
import { matchesEverything, matchesPattern, readPattern } from '../access/name-pattern.ts'
import { closestKey } from '../config/closest-key.ts'
import type { GatewayConfig, JsonValue, ServerConfig } from '../config/gateway-config.ts'
import { LOCAL_SKILLS } from '../config/read-skill-folders.ts'
import { isObject, type JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { SkillEntry } from '../skills/skill-entry.ts'
import { isSkillName, pathOfSkill, skillName } from '../skills/skill-names.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { closestName } from './closest-name.ts'
import { parameterNames } from './hide-parameters.ts'
import { META_TOOLS } from './meta-tools/meta-tools.ts'
import { type OfferPlan, overrideOf, placeOf } from './offer-plan.ts'
import type { UpstreamSet } from './upstream-set.ts'
import { createValidateArguments } from './validate-arguments.ts'

/** A setting that does not do what its author meant, or a tool that could not keep its name. */
export interface SetupProblem {
  /**
   * - `unmatched`: the setting is for a tool that does not exist
   * - `ineffective`: the setting is for a tool that is hidden, or another setting rules it out
   * - `override`: the override cannot be applied
   * - `renamed`: the tool would have had the name of another tool
   */
  readonly kind: 'unmatched' | 'ineffective' | 'override' | 'renamed'
  /** The server whose entry has the setting. Absent for settings of the gateway. */
  readonly server?: string
  /** Where the setting is, from the server's entry or from the top of the file. */
  readonly path: readonly (string | number)[]
  /** The name that agents see, if the problem concerns a tool that is offered. */
  readonly tool?: string
  /** The place, the problem and what to do about it, for people. */
  readonly message: string
}

/** The tools of the servers whose tools are known: those that have connected now or earlier. */
type Manifests = ReadonlyMap<string, readonly McpTool[]>

/** Returns a function that finds the problems. It returns the same reference until something changes. */
export function createSetupProblems(
  servers: UpstreamSet,
): (config: GatewayConfig, plan: OfferPlan) => readonly SetupProblem[] {
  let basis: readonly unknown[] = []
  let problems: readonly SetupProblem[] = []
  return (config, plan) => {
    const manifests = knownManifests(config, servers)
    const skills = servers.upstreams.get(LOCAL_SKILLS)?.skills
    const now = [plan, skills, ...[...manifests].flat()]
    if (now.length !== basis.length || now.some((each, at) => each !== basis[at])) {
      basis = now
      problems = findSetupProblems(config, plan, manifests, skills)
    }
    return problems
  }
}

function knownManifests({ servers }: GatewayConfig, { upstreams }: UpstreamSet): Manifests {
  return new Map(
    servers.flatMap(({ name, disabled }) => {
      const upstream = disabled ? undefined : upstreams.get(name)
      return upstream && isKnown(upstream) ? [[name, upstream.tools] as const] : []
    }),
  )
}

function isKnown({ status: { state }, tools }: Upstream): boolean {
  return state === 'ready' || state === 'idle' || tools.length > 0
}

export function findSetupProblems(
  config: GatewayConfig,
  plan: OfferPlan,
  manifests: Manifests,
  /** The skills of folders, if they are known. */
  skills?: readonly SkillEntry[],
): SetupProblem[] {
  const localSkills = skills?.map(({ uri }) => pathOfSkill(uri))
  const { servers, pins, access, profiles, rateLimits } = config
  const { allow = [], deny } = readAccessRules(config, 'gateway')
  const unknownPersonal = servers
    .filter(({ name, disabled, credentials = { kind: 'shared' } }) => {
      return !disabled && credentials.kind !== 'shared' && !manifests.has(name)
    })
    .map(({ name }) => name)
  return [
    ...allow.flatMap((rule, index) => checkRule(rule, ['toolsearch', 'allow', index])),
    ...deny.flatMap((rule, index) => checkRule(rule, ['toolsearch', 'deny', index])),
    ...checkPins(pins, ['toolsearch', 'pins']),
    ...checkScripts(config),
    ...(access?.rules ?? []).flatMap((rule, index) =>
      checkLists(rule, ['toolsearch', 'access', 'rules', index]),
    ),
    ...Object.entries(profiles).flatMap(([name, profile]) => [
      ...checkLists(profile, ['toolsearch', 'profiles', name]),
      ...checkPins(profile.pins ?? [], ['toolsearch', 'profiles', name, 'pins']),
    ]),
    ...rateLimits.flatMap(({ tools = [] }, index) =>
      tools.flatMap((text, at) =>
        checkLimited(text, ['toolsearch', 'rateLimits', index, 'tools', at]),
      ),
    ),
    ...servers.filter(({ name }) => manifests.has(name)).flatMap(checkServer),
  ]

  function checkRule(rule: AccessRule, path: SetupProblem['path']): SetupProblem[] {
    // A rule about effects is a policy: it is right even if no tool has the effect today.
    if (rule.effect) return []
    if (isSkillName(rule.text) && isUnmatched(rule.names)) return [aboutSkills(path, rule.text)]
    const names = candidates(rule.text, rule.names)
    if (isUnmatched(rule.names)) return [unmatched(path, rule.text, names)]
    // Nobody may ever connect to such a server, so a likely typing error is reported before.
    const closest = unknownPersonal.length > 0 ? closestKey(rule.text, names) : undefined
    if (closest === undefined || !isUnmatched(rule.names, unknownPersonal)) return []
    const message = `${placeName(path, undefined, rule.text)} matches no tool that is known. Did you mean ${JSON.stringify(closest)}? The tools of ${unknownPersonal.join(', ')} are known once somebody has connected.`
    return [{ kind: 'unmatched', path, message }]
  }

  /** The lists of an access rule or profile, which can also be about resources, prompts and skills. */
  function checkLists(
    { allow, deny }: { readonly allow?: readonly string[]; readonly deny?: readonly string[] },
    path: SetupProblem['path'],
  ): SetupProblem[] {
    return [
      ...checkEntries(allow, 'allow', [...path, 'allow']),
      ...checkEntries(deny, 'deny', [...path, 'deny']),
    ]
  }

  function checkEntries(
    entries: readonly string[] = [],
    list: 'allow' | 'deny',
    path: SetupProblem['path'],
  ): SetupProblem[] {
    return entries.flatMap((text, index) => {
      const { tools, resources, prompts, skills } = readAccessEntry(text, list)
      const places = [...resources, ...prompts, ...skills]
      if (places.length === 0) return checkRule(tools, [...path, index])
      // Skills in folders have no server.
      const isLocal = ({ server }: ToolPattern) => matchesPattern(server, LOCAL_SKILLS)
      if (config.skills.length > 0 && skills.some(isLocal)) {
        return isKnownSkill(skills) ? [] : [unmatchedSkill([...path, index], text)]
      }
      // What resources and prompts a server has can depend on who asks, so only servers are checked.
      const isMatched = places.some((place) =>
        servers.some(({ name }) => matchesPattern(place.server, name)),
      )
      return isMatched ? [] : [unmatchedServer([...path, index], text)]
    })
  }

  /** Whether there may be such a skill. An entry that could be about a server is not checked. */
  function isKnownSkill(patterns: readonly ToolPattern[]): boolean {
    const isOfServer = ({ server }: ToolPattern) =>
      servers.some(({ name }) => matchesPattern(server, name))
    return (
      localSkills === undefined ||
      matchesEverything(patterns[0]!.tool) ||
      patterns.some(isOfServer) ||
      localSkills.some((skill) => patterns.some(({ tool }) => matchesPattern(tool, skill)))
    )
  }

  function unmatchedSkill(path: SetupProblem['path'], text: string): SetupProblem {
    const names = (localSkills ?? []).map((skill) => skillName(LOCAL_SKILLS, skill))
    const fix = suggestion(text, names, 'Run `toolsearch skills` to list the skills.')
    const message = `${placeName(path, undefined, text)} matches no skill. ${fix}`
    return { kind: 'unmatched', path, message }
  }

  /** Limits name tools, also those of the gateway itself, but no effects. */
  function checkLimited(text: string, path: SetupProblem['path']): SetupProblem[] {
    const isOwn = [...META_TOOLS.keys()].some((name) => matchesPattern(readPattern(text), name))
    if (isOwn) return []
    const { names } = readAccessEntry(
      text.includes('/') ? text : `${NAME_MARK}${text}`,
      'allow',
    ).tools
    return checkRule({ text, names }, path)
  }

  function unmatchedServer(path: SetupProblem['path'], text: string): SetupProblem {
    const [, mark = '', rest = ''] = /^((?:resource|prompt|skill):)?(.*)$/s.exec(text) ?? []
    const slash = rest.indexOf('/')
    const names = servers.map(({ name }) => name)
    const closest = closestName(rest.slice(0, slash), names)
    const fix = closest
      ? `Did you mean ${JSON.stringify(`${mark}${closest}${rest.slice(slash)}`)}?`
      : 'Write the name of a server in this file.'
    const message = `${placeName(path, undefined, text)} matches no server. ${fix}`
    return { kind: 'unmatched', path, message }
  }

  /**
   * Whether no tool matches, now that the tools of all servers concerned are known.
   *
   * @param ignored servers that count as if they had no tools, unless an entry names them
   */
  function isUnmatched(names: readonly ToolPattern[], ignored: readonly string[] = []): boolean {
    const isIgnored = (pattern: ToolPattern, name: string) =>
      ignored.includes(name) && matchesEverything(pattern.server)
    return names.every((pattern) =>
      servers
        .filter(({ name }) => matchesPattern(pattern.server, name) && !isIgnored(pattern, name))
        .every(({ name, disabled }) => {
          if (disabled) return pattern.server.text === '*'
          const tools = manifests.get(name)
          return (
            tools !== undefined && !tools.some((tool) => matchesPattern(pattern.tool, tool.name))
          )
        }),
    )
  }

  function checkPins(list: readonly string[], path: SetupProblem['path']): SetupProblem[] {
    return list.flatMap((pin, index) => checkPin(pin, [...path, index]))
  }

  function checkPin(pin: string, path: SetupProblem['path']): SetupProblem[] {
    // A pin is one name, even if it contains "*".
    const names = toolPatterns(pin).filter(({ server }) =>
      servers.some(({ name }) => name === server.text),
    )
    const known = names.filter(({ server }) => manifests.has(server.text))
    const found = known.find(({ server, tool }) =>
      manifests.get(server.text)!.some(({ name }) => name === tool.text),
    )
    if (found) {
      const { server, tool } = found
      const { hidden } = plan.offer(server.text, manifests.get(server.text)!)
      const hiding = hidden.find((each) => each.tool === tool.text)
      if (!hiding) return []
      const message = `${placeName(path, undefined, pin)} has no effect: ${hiding.hiddenBy} hides the tool.`
      return [{ kind: 'ineffective', path, message }]
    }
    return known.length < names.length ? [] : [unmatched(path, pin, candidates(pin, names))]
  }

  /** What could have been meant instead. */
  function candidates(written: string, names: readonly ToolPattern[]): string[] {
    if (!written.includes('/')) {
      return [...RULE_EFFECTS, ...[...manifests.values()].flat().map(({ name }) => name)]
    }
    const isMeant = (server: string) => names.some((each) => matchesPattern(each.server, server))
    const meant = [...manifests].filter(([server]) => isMeant(server))
    if (meant.length > 0) {
      return meant.flatMap(([server, tools]) => tools.map(({ name }) => `${server}/${name}`))
    }
    const tool = written.slice(written.indexOf('/') + 1)
    return servers.map(({ name }) => `${name}/${tool}`)
  }

  function checkServer(server: ServerConfig): SetupProblem[] {
    const tools = manifests.get(server.name)!
    const names = tools.map(({ name }) => name)
    const known = new Set(names)
    const { allow = [], deny } = readAccessRules(server, 'server')
    const checkOwn = (key: 'allow' | 'deny') => (rule: AccessRule, index: number) => {
      const isMatched = rule.names.some(({ tool }) =>
        names.some((name) => matchesPattern(tool, name)),
      )
      if (rule.effect || isMatched) return []
      const path = ['toolsearch', key, index]
      if (isSkillName(rule.text)) return [aboutSkills(path, rule.text, server.name)]
      return [unmatched(path, rule.text, [...RULE_EFFECTS, ...names], server.name)]
    }
    const checkKeys = (key: 'hints' | 'overrides') =>
      Object.keys(server[key])
        .filter((name) => !known.has(name))
        .map((name) => unmatched(['toolsearch', key, name], name, names, server.name))
    return [
      ...server.disabledTools.flatMap((name, index) =>
        known.has(name) ? [] : [unmatched(['disabledTools', index], name, names, server.name)],
      ),
      ...allow.flatMap(checkOwn('allow')),
      ...deny.flatMap(checkOwn('deny')),
      ...checkKeys('hints'),
      ...checkKeys('overrides'),
      ...tools.flatMap((tool) => checkParameters(server, tool)),
      ...checkNames(server, tools),
    ]
  }

  /** Tools that are not offered under the name that the server or the override gives them. */
  function checkNames(server: ServerConfig, tools: readonly McpTool[]): SetupProblem[] {
    return plan.offer(server.name, tools).renamed.map(({ name, tool }): SetupProblem => {
      const override = overrideOf(server, tool.name)?.name
      const owner = plan.names.ownerOf(server.name, override ?? tool.name)
      const path =
        override === undefined
          ? ['toolsearch', 'prefix']
          : ['toolsearch', 'overrides', tool.name, 'name']
      const subject =
        override === undefined
          ? `Tool ${JSON.stringify(tool.name)} of server ${JSON.stringify(server.name)}`
          : placeName(path, server.name, override)
      const reason =
        owner !== undefined
          ? `looks like a tool of server ${JSON.stringify(owner)}`
          : override === undefined
            ? 'has the same name as another tool'
            : 'is already the name of another tool'
      const message = `${subject} ${reason}, so it is offered as "${name}". Choose a name for it in "overrides", or add it to "deny".`
      return { kind: 'renamed', server: server.name, path, tool: name, message }
    })
  }
}

/** Scripts run through meta tools, which are not listed in mode `passthrough`. */
function checkScripts({ scripts, mode, profiles }: GatewayConfig): SetupProblem[] {
  const modes = [mode, ...Object.values(profiles).map((profile) => profile.mode ?? mode)]
  if (!scripts || modes.some((each) => each !== 'passthrough')) return []
  const path = ['toolsearch', 'scripts']
  const message = `${placeName(path)} has no effect in mode "passthrough". Change toolsearch.mode, or remove toolsearch.scripts.`
  return [{ kind: 'ineffective', path, message }]
}

/** Fixed parameters that the tool does not have, which hides it, or whose value it does not accept. */
function checkParameters(server: ServerConfig, tool: McpTool): SetupProblem[] {
  const fixed = Object.entries(overrideOf(server, tool.name)?.parameters ?? {})
  if (fixed.length === 0) return []
  const schema = isObject(tool.inputSchema) ? tool.inputSchema : {}
  const known = parameterNames(schema)
  return fixed.flatMap(([name, { value }]): SetupProblem[] => {
    const path = ['toolsearch', 'overrides', tool.name, 'parameters', name]
    const report = (problem: string): SetupProblem[] => {
      const message = `${placeName(path, server.name)} ${problem}`
      return [{ kind: 'override', server: server.name, path, message }]
    }
    if (!known.includes(name)) {
      const fix = suggestion(name, known, 'Correct or remove it.')
      return report(`is not a parameter of the tool, so the tool is hidden. ${fix}`)
    }
    const mistake = valueMistake(schema, name, value)
    return mistake === undefined ? [] : report(`has an invalid value: ${mistake}.`)
  })
}

/** What is wrong with the value of a parameter, judged by the schema of this parameter alone. */
function valueMistake(schema: JsonObject, name: string, value: JsonValue): string | undefined {
  const { $schema, $defs, definitions, properties } = schema
  if (!isObject(properties) || !Object.hasOwn(properties, name)) return undefined
  const only = { $schema, $defs, definitions, properties: { [name]: properties[name] } }
  const present = Object.entries(only).filter(([, part]) => part !== undefined)
  try {
    return createValidateArguments()(Object.fromEntries(present), { [name]: value })[0]
  } catch {
    // The schema is invalid, which is reported elsewhere.
    return undefined
  }
}

/** `allow` and `deny` outside of access rules are about tools only. */
function aboutSkills(path: SetupProblem['path'], text: string, server?: string): SetupProblem {
  const message = `${placeName(path, server, text)} matches no tool. To hide a skill, use "deny" of a rule in "toolsearch.access".`
  return { kind: 'unmatched', ...(server !== undefined && { server }), path, message }
}

function unmatched(
  path: SetupProblem['path'],
  written: string,
  names: readonly string[],
  server?: string,
): SetupProblem {
  const fix = suggestion(written, names, 'Run `toolsearch tools` to list the tools.')
  // The last part of the path of a hint or override is already the name.
  const text = typeof path.at(-1) === 'number' ? written : undefined
  return {
    kind: 'unmatched',
    ...(server !== undefined && { server }),
    path,
    message: `${placeName(path, server, text)} matches no tool. ${fix}`,
  }
}

function suggestion(written: string, names: readonly string[], otherwise: string): string {
  const closest = closestRule(written, names)
  return closest === undefined ? otherwise : `Did you mean ${JSON.stringify(closest)}?`
}

/** A rule of the same kind, so that a person who follows the suggestion changes nothing else. */
function closestRule(written: string, names: readonly string[]): string | undefined {
  if (written.includes('*')) {
    const patterns = names.filter((name) => name.includes('*'))
    if (patterns.length > 0) return closestName(written, patterns)
    const lower = written.toLowerCase()
    return names.some((name) => matchesPattern(readPattern(lower), name)) ? lower : undefined
  }
  if (!written.startsWith(NAME_MARK)) return closestName(written, names)
  const tools = names.filter((name) => !RULE_EFFECTS.some((effect) => effect === name))
  const closest = closestName(written.slice(NAME_MARK.length), tools)
  return closest === undefined ? undefined : `${NAME_MARK}${closest}`
}

function placeName(path: SetupProblem['path'], server?: string, written?: string): string {
  const parts: string[] = []
  for (const part of path) {
    if (typeof part === 'number') parts.push(`${parts.pop()}[${part}]`)
    else parts.push(part)
  }
  return placeOf(parts, server, written)
}
