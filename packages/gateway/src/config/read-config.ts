import type { Node } from 'jsonc-parser'
import { closestKey } from './closest-key.ts'
import { ROOT_KEYS, SETTING_KEYS } from './config-keys.ts'
import type { ConfigProblem } from './config-problem.ts'
import { type ConfigReader, createConfigReader, type Entry } from './config-reader.ts'
import { DEFAULT_LIMITS } from './default-limits.ts'
import type { Environment } from './expand-variables.ts'
import type { GatewayConfig, ServerConfig } from './gateway-config.ts'
import { parseDocument } from './parse-document.ts'
import { readLimits, readServer } from './read-server.ts'
import { MAX_PREFIX_LENGTH, toolPrefix } from './tool-prefix.ts'

export type ReadConfigResult =
  | { readonly config: GatewayConfig }
  | { readonly problems: readonly ConfigProblem[] }

export interface ReadConfigOptions {
  /** What the file is called in problems; a relative `cwd` of a server starts from its folder. */
  readonly file: string
  /** What `${NAME}` stands for. */
  readonly env: Environment
}

/**
 * Reads a configuration: the `mcpServers` of Claude Desktop, Claude Code, Cursor and Windsurf, or
 * the `servers` of VS Code, with our own settings under `toolsearch`. Comments and trailing commas
 * are allowed.
 *
 * Never throws: what is wrong with a text, all of it at once, is the answer.
 */
export function readConfig(text: string, { file, env }: ReadConfigOptions): ReadConfigResult {
  const document = parseDocument(text, { file })
  if ('problems' in document) return document
  const reader = createConfigReader(document, { file, env })
  if (document.root.type !== 'object') {
    reader.report(document.root, 'The file must hold an object.', 'Write { "mcpServers": { … } }.')
    return { problems: reader.problems() }
  }
  const config = readRoot(reader, document.root, file)
  const problems = reader.problems()
  return problems.length > 0 ? { problems } : { config }
}

const MODES = ['search', 'dynamic', 'passthrough', 'auto'] as const
const RANKINGS = ['words-and-meaning', 'words'] as const
const MAX_SERVERS = 1_000

function readRoot(reader: ConfigReader, root: Node, file: string): GatewayConfig {
  const fields = reader.fields(root, 'the file', ROOT_KEYS)
  const own = fields.get('toolsearch')
  const settings = own && reader.fields(own, 'toolsearch', SETTING_KEYS)
  const limits = {
    ...DEFAULT_LIMITS,
    ...readLimits(reader, settings?.get('limits'), 'toolsearch.limits'),
  }
  const entries = ['mcpServers', 'servers'].flatMap((key) => reader.entries(fields.get(key), key))
  if (entries.length === 0) {
    const fix = 'Write { "mcpServers": { "name": { "command": … } } }, or run `toolsearch import`.'
    reader.report(root, 'There are no servers in the file.', fix)
  }
  if (entries.length > MAX_SERVERS) {
    reader.report(entries[MAX_SERVERS]!.keyNode, `More than ${MAX_SERVERS} servers.`, 'Use fewer.')
    entries.length = MAX_SERVERS
  }
  checkNames(reader, entries)
  const servers = entries
    .map((entry) => readServer(reader, entry, { file, limits }))
    .filter((server): server is ServerConfig => server !== undefined)
  checkPrefixes(reader, entries, servers)
  return {
    servers,
    mode: reader.choice(settings?.get('mode'), 'toolsearch.mode', MODES) ?? 'search',
    callTools:
      reader.choice(settings?.get('callTools'), 'toolsearch.callTools', ['one', 'by-effect']) ??
      'by-effect',
    pins: readPins(reader, settings?.get('pins'), new Set(entries.map(({ key }) => key))),
    ranking: reader.choice(settings?.get('ranking'), 'toolsearch.ranking', RANKINGS) ?? RANKINGS[0],
    limits,
    pinDefinitions:
      reader.flag(settings?.get('pinDefinitions'), 'toolsearch.pinDefinitions') ?? false,
  }
}

function checkNames(reader: ConfigReader, entries: readonly Entry[]): void {
  const byPrefix = new Map<string, string>()
  for (const { key: name, keyNode } of entries) {
    const prefix = toolPrefix(name)
    // some clients compare tool names without regard to case
    const same = byPrefix.get(prefix.toLowerCase())
    if (prefix === '') {
      const fix = 'Use letters from a to z or digits: it stands before the names of the tools.'
      reader.report(keyNode, `A server cannot be called ${JSON.stringify(name.slice(0, 60))}.`, fix)
    } else if (prefix.length > MAX_PREFIX_LENGTH) {
      const fix = `Use at most ${MAX_PREFIX_LENGTH} characters: it stands before the names of the tools.`
      reader.report(keyNode, `The name ${JSON.stringify(name.slice(0, 60))}… is too long.`, fix)
    } else if (same !== undefined) {
      const names = name === same ? `"${name}"` : `"${same}" and "${name}"`
      const message = `Two servers are called ${names}: their tools would have the same names.`
      reader.report(keyNode, message, 'Rename one of them.')
    } else byPrefix.set(prefix.toLowerCase(), name)
  }
}

/** Tools are known only once their servers run, so two servers without a prefix might clash any day. */
function checkPrefixes(
  reader: ConfigReader,
  entries: readonly Entry[],
  servers: readonly ServerConfig[],
): void {
  const [first, second] = servers.filter(({ prefix, disabled }) => !prefix && !disabled)
  if (!first || !second) return
  const at = entries.find(({ key }) => key === second.name)!.keyNode
  const message = `"${first.name}" and "${second.name}" are both without a prefix: their tools could have the same names.`
  reader.report(at, message, 'Keep "prefix": false for one of them.')
}

function readPins(
  reader: ConfigReader,
  node: Node | undefined,
  servers: ReadonlySet<string>,
): readonly string[] {
  return reader.list(node, 'toolsearch.pins', (item, label) => {
    const pin = reader.text(item, label)
    if (pin === undefined) return undefined
    const server = pin.length > MAX_PIN_LENGTH ? undefined : serverOf(pin, servers)
    if (server !== undefined) return pin
    const slash = pin.indexOf('/')
    const closest = slash > 0 ? closestKey(pin.slice(0, slash), servers) : undefined
    const fix = closest ? `Did you mean "${closest}/…"?` : 'Write "server/tool".'
    reader.report(item, `${label} names no tool of a server in this file.`, fix)
    return undefined
  })
}

const MAX_PIN_LENGTH = 512

/** Both names may hold slashes, so every one of them may be the border. */
function serverOf(pin: string, servers: ReadonlySet<string>): string | undefined {
  for (let at = pin.indexOf('/'); at > 0 && at < pin.length - 1; at = pin.indexOf('/', at + 1)) {
    if (servers.has(pin.slice(0, at))) return pin.slice(0, at)
  }
  return undefined
}
