import { dirname, resolve } from 'node:path'
import type { Node } from 'jsonc-parser'
import type { ServerEntry, ServerSettings } from './config-file.ts'
import {
  type ConfigReader,
  type Entry,
  nestedPlace,
  type ObjectReader,
  type Place,
  quote,
} from './config-reader.ts'
import type { AccessSettings, Limits, ServerConfig, ServerConnection } from './gateway-config.ts'
import { isGatewayEntry } from './is-gateway-entry.ts'
import { readCredentials } from './read-credentials.ts'
import { readOAuth } from './read-oauth.ts'
import { readOverrides } from './read-overrides.ts'
import { LIMIT_RULES } from './rules/limit-rules.ts'
import { SERVER_RULES, SERVER_SETTING_RULES } from './rules/server-rules.ts'

export interface ReadServerOptions {
  /** The configuration file. A relative `cwd` is resolved against its folder. */
  readonly file: string
  /** The gateway's limits, which the server's own limits override. */
  readonly limits: Limits
  /** Whether people sign in to the gateway, so that they can have credentials of their own. */
  readonly hasIdentity: boolean
}

/** Programs that people often put into one string together with their arguments. */
export const COMMAND_WITH_ARGS: RegExp =
  /^(npx|bunx|uvx|uv|node|deno|bun|python3?|docker|pnpm|yarn|cmd)\s/

type ServerReader = ObjectReader<ServerEntry>

/** Stands for a connection that has been reported as a problem. Never opened. */
const UNREADABLE: ServerConnection = { kind: 'stdio', command: '', args: [], env: {} }

/** Reads one entry of `mcpServers` or `servers`. Undefined if it is not an object. */
export function readServer(
  reader: ConfigReader,
  { key: name, keyNode, value }: Entry,
  { file, limits, hasIdentity }: ReadServerOptions,
): ServerConfig | undefined {
  const label = `server ${quote(name)}`
  const place: Place = { label, name: (path) => `"${path}" of ${label}` }
  const server = reader.object(value, place, SERVER_RULES)
  if (value.type !== 'object') return undefined
  const settingsPlace = nestedPlace(place, 'toolsearch')
  const settings = reader.object(server.node('toolsearch'), settingsPlace, SERVER_SETTING_RULES)

  const callMs = server.get('timeout')
  const disabled = server.get('disabled') ?? false
  const isLoaded = server.get('alwaysLoad')
  const alwaysLoad = settings.get('alwaysLoad') ?? isLoaded ?? false
  const prefix = settings.get('prefix') ?? true
  const disabledTools = server.get('disabledTools') ?? []
  const access = readAccess(settings)
  const hints = settings.get('hints') ?? {}
  const overrides = readOverrides(
    reader,
    settings.node('overrides'),
    nestedPlace(settingsPlace, 'overrides'),
  )
  const description = settings.get('description')
  const connection = readConnection(reader, keyNode, server, place, file)
  const credentials = readCredentials(reader, server, settings, {
    label,
    place: nestedPlace(settingsPlace, 'credentials'),
    hasIdentity,
    oauth: connection && 'oauth' in connection ? connection.oauth : undefined,
  })
  const ownLimits = readLimits(
    reader,
    settings.node('limits'),
    nestedPlace(settingsPlace, 'limits'),
  )

  return {
    name,
    connection: connection ?? UNREADABLE,
    alwaysLoad,
    prefix,
    disabledTools,
    ...access,
    hints,
    overrides,
    ...(description !== undefined && { description }),
    limits: { ...limits, ...(callMs === undefined ? {} : { callMs }), ...ownLimits },
    credentials,
    ...(settings.has('waitForTasks') && { waitForTasks: settings.get('waitForTasks')! }),
    disabled,
  }
}

/** Reads the rules about which tools are offered. */
export function readAccess(
  settings: Pick<ObjectReader<Pick<ServerSettings, keyof AccessSettings>>, 'get'>,
): AccessSettings {
  const allow = settings.get('allow')
  return {
    ...(allow && { allow }),
    deny: settings.get('deny') ?? [],
    readOnly: settings.get('readOnly') ?? false,
  }
}

/** Reads the limits that an object sets, without the defaults. */
export function readLimits(
  reader: ConfigReader,
  node: Node | undefined,
  place: Place,
): Partial<Limits> {
  const object = reader.object(node, place, LIMIT_RULES)
  const limits = (['connectMs', 'callMs', 'resultChars', 'messageBytes'] as const).map(
    (key) => [key, object.get(key)] as const,
  )
  const given: Partial<Limits> = Object.fromEntries(
    limits.filter(([, value]) => value !== undefined),
  )
  // a limit that was chosen on purpose applies to the first connection as well
  const { connectMs: firstConnectMs } = given
  return firstConnectMs === undefined ? given : { ...given, firstConnectMs }
}

function readConnection(
  reader: ConfigReader,
  at: Node,
  server: ServerReader,
  place: Place,
  file: string,
): ServerConnection | undefined {
  const { label } = place
  const type = server.get('type')
  const targets = (['command', 'url', 'serverUrl'] as const).filter(server.has)
  if (targets.length > 1) {
    reader.report(at, `${label} has both ${targets.join(' and ')}.`, 'Remove all but one of them.')
    return undefined
  }
  const [target] = targets
  if (!target) {
    const [missing, example] =
      type === undefined || type === 'stdio'
        ? ['command', '"command": "npx" with "args", or "url" for a remote server']
        : ['url', '"url": "https://…"']
    reader.report(at, `${label} has no ${missing}.`, `Add ${example}.`)
    return undefined
  }
  const isLocal = target === 'command'
  if (type && isLocal !== (type === 'stdio')) {
    const fix = isLocal
      ? 'Write "type": "stdio", or replace "command" with "url".'
      : 'Write "type": "http" or "sse".'
    reader.report(server.node('type')!, `${label} has a ${target}, but its type is "${type}".`, fix)
    return undefined
  }
  rejectUnused(reader, server, isLocal)
  return isLocal
    ? readCommand(reader, at, server, place, file)
    : readRemote(reader, target, server, place, type, file)
}

/** Reports keys that have no effect, such as `headers` next to a `command`. */
function rejectUnused(reader: ConfigReader, server: ServerReader, isLocal: boolean): void {
  for (const key of isLocal ? (['headers', 'oauth'] as const) : (['args', 'env', 'cwd'] as const)) {
    const node = server.node(key)
    if (!node || (isCollection(node) && !node.children?.length)) continue
    const target = isLocal ? 'a command' : 'a url'
    reader.report(
      node,
      `${server.name(key)} has no effect on a server with ${target}.`,
      'Remove it.',
    )
  }
}

function isCollection(node: Node): boolean {
  return node.type === 'object' || node.type === 'array'
}

/** Whether a program is a gateway that serves this file. One with another file may be chained. */
function startsItself(command: string, args: readonly string[], file: string): boolean {
  if (!isGatewayEntry({ command, args })) return false
  const option = args.findIndex((arg) => /^(-c|--config)(=|$)/.test(arg))
  if (option < 0) return true
  const [, inline] = /=(.*)/s.exec(args[option]!) ?? []
  const other = inline ?? args[option + 1]
  return other === undefined || resolve(dirname(file), other) === resolve(file)
}

function readCommand(
  reader: ConfigReader,
  at: Node,
  server: ServerReader,
  { label }: Place,
  file: string,
): ServerConnection | undefined {
  const node = server.node('command')!
  const command = server.get('command')
  const args = server.get('args') ?? []
  const env = server.get('env') ?? {}
  const cwd = server.get('cwd')
  if (command === undefined) return undefined
  if (command.trim() === '') {
    reader.report(node, `${server.name('command')} is empty.`, 'Write the program to run.')
    return undefined
  }
  // without a shell, the whole string would be the name of the program
  const program = COMMAND_WITH_ARGS.exec(node.value)?.[1]
  if (program) {
    const fix = `Write "command": "${program}" and put each argument into "args": […].`
    reader.report(node, `${server.name('command')} contains arguments.`, fix)
    return undefined
  }
  if (startsItself(command, args, file)) {
    reader.report(at, `${label} starts this gateway itself.`, 'Remove it.')
    return undefined
  }
  const folder = cwd === undefined ? {} : { cwd: resolve(dirname(file), cwd) }
  return { kind: 'stdio', command, args, env, ...folder }
}

function readRemote(
  reader: ConfigReader,
  key: 'url' | 'serverUrl',
  server: ServerReader,
  place: Place,
  type: ServerEntry['type'],
  file: string,
): ServerConnection | undefined {
  const url = server.get(key)
  const headers = server.get('headers') ?? {}
  const oauth = readOAuth(reader, server.node('oauth'), nestedPlace(place, 'oauth'), file)
  if (oauth && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
    const message = `${place.label} has both oauth and an "Authorization" header.`
    reader.report(server.node('oauth')!, message, 'Remove one of them.')
  }
  if (url === undefined) return undefined
  // without a type, only the path can indicate the deprecated transport
  const isSse = type === 'sse' || (type === undefined && /\/sse\/?$/.test(new URL(url).pathname))
  return { kind: isSse ? 'sse' : 'http', url, headers, ...(oauth && { oauth }) }
}
