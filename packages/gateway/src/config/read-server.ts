import { dirname, resolve } from 'node:path'
import type { Node } from 'jsonc-parser'
import { LIMIT_KEYS, SERVER_KEYS, SERVER_SETTING_KEYS } from './config-keys.ts'
import type { ConfigReader, Entry } from './config-reader.ts'
import type { Limits, ServerConfig, ServerConnection } from './gateway-config.ts'
import { readOAuth } from './read-oauth.ts'

export interface ReadServerOptions {
  /** Where the entry is written; a relative `cwd` starts from its folder. */
  readonly file: string
  /** Of the whole gateway; a server's own come first. */
  readonly limits: Limits
}

/** Reads one entry under `mcpServers` or `servers`. Undefined if there is no telling how to connect. */
export function readServer(
  reader: ConfigReader,
  { key: name, keyNode, value }: Entry,
  { file, limits }: ReadServerOptions,
): ServerConfig | undefined {
  const label = `server ${JSON.stringify(name.slice(0, 60))}`
  const fields = reader.fields(value, label, SERVER_KEYS)
  if (value.type !== 'object') return undefined
  const own = fields.get('toolsearch')
  const settings = own && reader.fields(own, `toolsearch of ${label}`, SERVER_SETTING_KEYS)

  const callMs = reader.whole(
    fields.get('timeout'),
    `timeout of ${label} (in milliseconds)`,
    1_000,
    MAX_MS,
  )
  const disabled = reader.flag(fields.get('disabled'), `disabled of ${label}`) ?? false
  const listed = reader.flag(fields.get('alwaysLoad'), `alwaysLoad of ${label}`)
  const loaded = reader.flag(settings?.get('alwaysLoad'), `toolsearch.alwaysLoad of ${label}`)
  const prefix = reader.flag(settings?.get('prefix'), `toolsearch.prefix of ${label}`)
  const deny = [
    ...reader.list(fields.get('disabledTools'), `disabledTools of ${label}`, reader.text),
    ...reader.list(settings?.get('deny'), `toolsearch.deny of ${label}`, reader.text),
  ]
  const hints = readTexts(
    reader,
    settings?.get('hints'),
    `toolsearch.hints of ${label}`,
    reader.text,
  )
  const connection = readConnection(reader, keyNode, fields, label, file)
  const ownLimits = readLimits(reader, settings?.get('limits'), `toolsearch.limits of ${label}`)
  if (!connection) return undefined

  return {
    name,
    connection,
    alwaysLoad: loaded ?? listed ?? false,
    prefix: prefix ?? true,
    deny: [...new Set(deny)],
    hints,
    limits: { ...limits, ...(callMs === undefined ? {} : { callMs }), ...ownLimits },
    disabled,
  }
}

/** What is said of limits, without the defaults. */
export function readLimits(
  reader: ConfigReader,
  node: Node | undefined,
  label: string,
): Partial<Limits> {
  if (!node) return {}
  const fields = reader.fields(node, label, LIMIT_KEYS)
  const limits = {
    connectMs: reader.whole(fields.get('connectMs'), `connectMs in ${label}`, 1, MAX_MS),
    callMs: reader.whole(fields.get('callMs'), `callMs in ${label}`, 1, MAX_MS),
    resultChars: reader.whole(
      fields.get('resultChars'),
      `resultChars in ${label}`,
      1_000,
      MAX_CHARS,
    ),
  }
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined))
}

// a timer of Node's fires at once when it is set to more
const MAX_MS = 2_147_483_647
const MAX_CHARS = 1_000_000_000

const TYPES = ['stdio', 'http', 'streamable-http', 'sse'] as const

function readConnection(
  reader: ConfigReader,
  at: Node,
  fields: ReadonlyMap<string, Node>,
  label: string,
  file: string,
): ServerConnection | undefined {
  const type = reader.choice(fields.get('type'), `type of ${label}`, TYPES)
  const urls = ['url', 'serverUrl'].filter((key) => fields.has(key))
  const ways = fields.has('command') ? ['command', ...urls] : urls
  if (ways.length > 1) {
    reader.report(at, `${label} has ${ways.join(' and ')}.`, 'Keep one of them.')
    return undefined
  }
  const [way] = ways
  if (!way) {
    const [missing, example] =
      type === undefined || type === 'stdio'
        ? ['command', '"command": "npx" with "args"; or "url" for a server on the network']
        : ['url', '"url": "https://…"']
    reader.report(at, `${label} has no ${missing}.`, `Write ${example}.`)
    return undefined
  }
  const runs = way === 'command'
  if (type && runs !== (type === 'stdio')) {
    const fix = runs
      ? 'Write "type": "stdio", or "url" for "command".'
      : 'Write "type": "http" or "sse".'
    reader.report(fields.get('type')!, `${label} has ${way}, but is of type "${type}".`, fix)
    return undefined
  }
  refuseIdle(reader, fields, label, runs)
  return runs
    ? readCommand(reader, fields, label, file)
    : readAddress(reader, fields.get(way)!, fields, label, type)
}

/** Who writes `headers` beside a `command` believes that they are sent. */
function refuseIdle(
  reader: ConfigReader,
  fields: ReadonlyMap<string, Node>,
  label: string,
  runs: boolean,
): void {
  for (const key of runs ? ['headers', 'oauth'] : ['args', 'env', 'cwd']) {
    const node = fields.get(key)
    if (!node || (isCollection(node) && !node.children?.length)) continue
    const why = runs ? 'is started by a command' : 'has a url'
    reader.report(node, `${key} means nothing to ${label}, which ${why}.`, 'Take it away.')
  }
}

function isCollection(node: Node): boolean {
  return node.type === 'object' || node.type === 'array'
}

function readCommand(
  reader: ConfigReader,
  fields: ReadonlyMap<string, Node>,
  label: string,
  file: string,
): ServerConnection | undefined {
  const node = fields.get('command')!
  const command = reader.expanded(node, `command of ${label}`)
  const args = reader.list(fields.get('args'), `args of ${label}`, reader.expanded)
  const env = readTexts(reader, fields.get('env'), `env of ${label}`, readVariable, VARIABLE_NAME)
  const cwd = reader.expanded(fields.get('cwd'), `cwd of ${label}`)
  if (cwd === '') reader.report(fields.get('cwd')!, `cwd of ${label} is empty.`, 'Take it away.')
  if (command === undefined) return undefined
  if (command.trim() === '') {
    reader.report(node, `command of ${label} is empty.`, 'Write the program to start.')
    return undefined
  }
  // no shell stands in between, so this would be looked for as one file with spaces in its name
  const whole = /^(npx|bunx|uvx|uv|node|deno|bun|python3?|docker|pnpm|yarn|cmd)\s/.exec(node.value)
  if (whole) {
    const fix = `Write "command": "${whole[1]}" and the rest, word by word, in "args": […].`
    reader.report(node, `command of ${label} has arguments in it.`, fix)
    return undefined
  }
  const folder = cwd === undefined || cwd === '' ? {} : { cwd: resolve(dirname(file), cwd) }
  return { kind: 'stdio', command, args, env, ...folder }

  // VS Code takes numbers here, and what they mean is plain
  function readVariable(value: Node, name: string): string | undefined {
    return value.type === 'number' ? String(value.value) : reader.expanded(value, name)
  }
}

function readAddress(
  reader: ConfigReader,
  node: Node,
  fields: ReadonlyMap<string, Node>,
  label: string,
  type: (typeof TYPES)[number] | undefined,
): ServerConnection | undefined {
  const url = reader.expanded(node, `url of ${label}`)
  const headers = readTexts(
    reader,
    fields.get('headers'),
    `headers of ${label}`,
    readHeader,
    HEADER_NAME,
  )
  const oauth = readOAuth(reader, fields.get('oauth'), `oauth of ${label}`)
  if (oauth && Object.keys(headers).some((name) => name.toLowerCase() === 'authorization')) {
    const message = `${label} has both oauth and a header "Authorization".`
    reader.report(fields.get('oauth')!, message, 'Keep one of them.')
  }
  if (url === undefined) return undefined
  const parsed = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : undefined
  if (!parsed) {
    reader.report(node, `url of ${label} is not an address.`, 'Write https://… or http://….')
    return undefined
  }
  // without a type, the path is the only sign of the older transport
  const old = type === 'sse' || (type === undefined && /\/sse\/?$/.test(parsed.pathname))
  return { kind: old ? 'sse' : 'http', url, headers, ...(oauth && { oauth }) }

  function readHeader(value: Node, name: string): string | undefined {
    const text = reader.expanded(value, name)
    if (text === undefined || /^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text
    reader.report(value, `${name} holds a character that no header can hold.`, 'Take it away.')
    return undefined
  }
}

function readTexts(
  reader: ConfigReader,
  node: Node | undefined,
  label: string,
  read: (node: Node, label: string) => string | undefined,
  name: RegExp = /^/,
): Record<string, string> {
  const texts: [string, string][] = []
  for (const { key, keyNode, value } of reader.entries(node, label)) {
    const text = read(value, `${JSON.stringify(key.slice(0, 60))} in ${label}`)
    if (!name.test(key)) reader.report(keyNode, `${label} has a name that cannot be.`, 'Mend it.')
    else if (text !== undefined) texts.push([key, text])
  }
  // not by assignment, which "__proto__" would turn against us
  return Object.fromEntries(texts)
}

const VARIABLE_NAME = /^[^=\0]+$/
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
