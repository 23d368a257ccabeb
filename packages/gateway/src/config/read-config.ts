import type { Node } from 'jsonc-parser'
import type { GatewaySettings } from './config-file.ts'
import type { ConfigProblem } from './config-problem.ts'
import {
  type ConfigReader,
  createConfigReader,
  type Entry,
  nestedPlace,
  type ObjectReader,
  type Place,
  quote,
} from './config-reader.ts'
import type { Environment } from './expand-variables.ts'
import type { GatewayConfig, ServerConfig } from './gateway-config.ts'
import { parseDocument } from './parse-document.ts'
import { readEmbedder } from './read-embedder.ts'
import { readPins } from './read-pins.ts'
import { readScripts } from './read-scripts.ts'
import { readAccess, readLimits, readServer } from './read-server.ts'
import { LOCAL_SKILLS, readSkillFolders } from './read-skill-folders.ts'
import { readTeam } from './read-team.ts'
import { DEFAULT_LIMITS } from './rules/limit-rules.ts'
import { ROOT_RULES } from './rules/root-rules.ts'
import { SETTING_RULES } from './rules/setting-rules.ts'
import { MAX_PREFIX_LENGTH, toolPrefix } from './tool-prefix.ts'

export type ReadConfigResult =
  | { readonly config: GatewayConfig }
  | {
      readonly problems: readonly ConfigProblem[]
      /**
       * The configuration with the problems in the servers that have them, if the problems concern
       * only some servers and others can be served.
       */
      readonly usable?: GatewayConfig
    }

export interface ReadConfigOptions {
  /** The path to show in problems. A relative `cwd` of a server is resolved against its folder. */
  readonly file: string
  /** The variables that replace `${NAME}`. */
  readonly env: Environment
  /** Whether a configuration without servers is a mistake. @default true */
  readonly needsServers?: boolean
}

/**
 * Reads a configuration: the `mcpServers` of Claude Desktop, Claude Code, Cursor and Windsurf, or
 * the `servers` of VS Code, with our own settings under `toolsearch`. Comments and trailing commas
 * are allowed.
 *
 * Never throws: returns all problems if the configuration is invalid.
 */
export function readConfig(
  text: string,
  { file, env, needsServers = true }: ReadConfigOptions,
): ReadConfigResult {
  const document = parseDocument(text, { file })
  if ('problems' in document) return document
  const reader = createConfigReader(document, { file, env })
  if (document.root.type !== 'object') {
    reader.report(
      document.root,
      'The file must contain an object.',
      'Write { "mcpServers": { … } }.',
    )
    return { problems: reader.problems() }
  }
  const config = readRoot(reader, document.root, { file, env, needsServers })
  const problems = reader.problems()
  if (problems.length === 0) return { config }
  const usable = withProblems(config, problems)
  return { problems, ...(usable && { usable }) }
}

function withProblems(
  config: GatewayConfig,
  problems: readonly ConfigProblem[],
): GatewayConfig | undefined {
  const names = new Set(config.servers.map(({ name }) => name))
  if (problems.some(({ server }) => server === undefined || !names.has(server))) return undefined
  const servers = config.servers.map((server) => {
    const own = problems.filter((problem) => problem.server === server.name)
    return own.length > 0 ? { ...server, problems: own } : server
  })
  const canServe = servers.some((server) => !server.disabled && !('problems' in server))
  return canServe ? { ...config, servers } : undefined
}

const MAX_SERVERS = 1_000

const FILE: Place = { label: 'the file', name: (path) => `"${path}"` }

function readRoot(
  reader: ConfigReader,
  node: Node,
  { file, env, needsServers }: Required<ReadConfigOptions>,
): GatewayConfig {
  const root = reader.object(node, FILE, ROOT_RULES)
  const settingsPlace = nestedPlace(FILE, 'toolsearch')
  const settings = reader.object(root.node('toolsearch'), settingsPlace, SETTING_RULES)
  const limits = {
    ...DEFAULT_LIMITS,
    ...readLimits(reader, settings.node('limits'), nestedPlace(settingsPlace, 'limits')),
  }
  const entries = (['mcpServers', 'servers'] as const).flatMap((key) =>
    reader.entries(root.node(key), root.name(key)),
  )
  if (entries.length === 0 && needsServers && !settings.has('skills')) {
    const fix = 'Write { "mcpServers": { "name": { "command": … } } }, or run `toolsearch import`.'
    reader.report(node, 'The configuration contains no servers.', fix)
  }
  if (entries.length > MAX_SERVERS) {
    const message = `The configuration contains more than ${MAX_SERVERS} servers.`
    reader.report(entries[MAX_SERVERS]!.keyNode, message, 'Remove some of them.')
    entries.length = MAX_SERVERS
  }
  checkNames(reader, entries)
  const hasIdentity = settings.has('identity')
  const servers = entries
    .map((entry) =>
      reader.forServer(entry.key, () => readServer(reader, entry, { file, limits, hasIdentity })),
    )
    .filter((server): server is ServerConfig => server !== undefined)
  checkPrefixes(reader, entries, servers)
  const { mode, callTools, ranking, approve, shortcut, taskSeconds } = SETTING_RULES.properties
  const { history, historyDays, historyMegabytes, learning } = SETTING_RULES.properties
  const serverNames = new Set(entries.map(({ key }) => key))
  const chosenRanking = settings.get('ranking') ?? ranking.default!
  return {
    servers,
    mode: settings.get('mode') ?? mode.default!,
    callTools: settings.get('callTools') ?? callTools.default!,
    ...readAccess(settings),
    skills: readSkillFolders(reader, settings, { file, env, servers: serverNames }),
    pins: readPins(reader, settings, serverNames),
    ...readTeam(reader, settings, {
      file,
      place: settingsPlace,
      servers: settings.has('skills') ? new Set([...serverNames, LOCAL_SKILLS]) : serverNames,
    }),
    ranking: chosenRanking,
    ...readEmbedding(reader, settings, nestedPlace(settingsPlace, 'embedder')),
    translateQueries: settings.get('translateQueries') ?? chosenRanking !== 'words',
    learning: settings.get('learning') ?? learning.default!,
    limits,
    ...readScripts(reader, settings.node('scripts'), nestedPlace(settingsPlace, 'scripts')),
    approve: settings.get('approve') ?? approve.default!,
    shortcut: settings.get('shortcut') ?? shortcut.default!,
    taskSeconds: settings.get('taskSeconds') ?? taskSeconds.default!,
    ...(settings.has('streamSeconds') && { streamSeconds: settings.get('streamSeconds')! }),
    history: settings.get('history') ?? history.default!,
    historyDays: settings.get('historyDays') ?? historyDays.default!,
    historyMegabytes: settings.get('historyMegabytes') ?? historyMegabytes.default!,
  }
}

/** An embedder takes the place of `ranking`, so a file has one or the other. */
function readEmbedding(
  reader: ConfigReader,
  settings: ObjectReader<GatewaySettings>,
  place: Place,
): Partial<Pick<GatewayConfig, 'ranking' | 'embedder'>> {
  const node = settings.node('embedder')
  if (!node) return {}
  if (settings.has('ranking')) {
    const message = `${settings.name('ranking')} and ${place.label} exclude each other.`
    reader.report(settings.node('ranking')!, message, 'Remove one of them.')
  }
  const embedder = readEmbedder(reader, node, place)
  return embedder ? { ranking: 'embedder', embedder } : {}
}

/** Reports invalid server names, and names that result in the same prefix. */
function checkNames(reader: ConfigReader, entries: readonly Entry[]): void {
  const byPrefix = new Map<string, string>()
  for (const { key: name, keyNode } of entries) {
    const prefix = toolPrefix(name)
    // some clients ignore case when they compare tool names
    const same = byPrefix.get(prefix.toLowerCase())
    if (prefix === '') {
      const fix = "Use ASCII letters or digits: the name becomes the prefix of its tools' names."
      reader.report(keyNode, `${quote(name)} is not a valid server name.`, fix)
    } else if (prefix.length > MAX_PREFIX_LENGTH) {
      const fix = `Use at most ${MAX_PREFIX_LENGTH} characters: the name becomes the prefix of its tools' names.`
      reader.report(keyNode, `The server name ${quote(name)} is too long.`, fix)
    } else if (same !== undefined) {
      const message =
        name === same
          ? `Two servers are named "${name}", so their tools would have the same names.`
          : `Servers "${same}" and "${name}" get the same prefix, so their tools would have the same names.`
      reader.report(keyNode, message, 'Rename one of them.')
    } else byPrefix.set(prefix.toLowerCase(), name)
  }
}

/**
 * Reports a second server without a prefix. The tools of a server are known only once it runs, so
 * two servers without a prefix could clash at any time.
 */
function checkPrefixes(
  reader: ConfigReader,
  entries: readonly Entry[],
  servers: readonly ServerConfig[],
): void {
  const [first, second] = servers.filter(({ prefix, disabled }) => !prefix && !disabled)
  if (!first || !second) return
  const at = entries.find(({ key }) => key === second.name)!.keyNode
  const message = `Servers "${first.name}" and "${second.name}" both have no prefix, so their tools could have the same names.`
  reader.report(at, message, 'Keep "prefix": false for one of them only.')
}
