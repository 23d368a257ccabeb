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
import type { GatewayConfig } from '../config/gateway-config.ts'
import { LOCAL_SKILLS } from '../config/read-skill-folders.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { SkillEntry } from '../skills/skill-entry.ts'
import { isSkillName, pathOfSkill, skillName } from '../skills/skill-names.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { closestName } from './closest-name.ts'
import { META_TOOLS } from './meta-tools/meta-tools.ts'
import type { OfferPlan } from './offer-plan.ts'
import { serverProblems } from './server-problems.ts'
import {
  aboutSkills,
  placeName,
  type SetupProblem,
  suggestion,
  unmatched,
} from './setup-problem.ts'
import type { UpstreamSet } from './upstream-set.ts'

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
    ...servers.flatMap((server) => {
      const tools = manifests.get(server.name)
      return tools ? serverProblems(server, tools, plan) : []
    }),
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
}

/** Scripts run through meta tools, which are not listed in mode `passthrough`. */
function checkScripts({ scripts, mode, profiles }: GatewayConfig): SetupProblem[] {
  const modes = [mode, ...Object.values(profiles).map((profile) => profile.mode ?? mode)]
  if (!scripts || modes.some((each) => each !== 'passthrough')) return []
  const path = ['toolsearch', 'scripts']
  const message = `${placeName(path)} has no effect in mode "passthrough". Change toolsearch.mode, or remove toolsearch.scripts.`
  return [{ kind: 'ineffective', path, message }]
}
