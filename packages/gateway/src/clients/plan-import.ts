import { isDeepStrictEqual } from 'node:util'
import { applyEdits, findNodeAtLocation, modify } from 'jsonc-parser'
import type { ConfigProblem } from '../config/config-problem.ts'
import { parseDocument } from '../config/parse-document.ts'
import { readConfig } from '../config/read-config.ts'
import { redactEntry } from '../config/redact.ts'
import { toolPrefix } from '../config/tool-prefix.ts'
import { adaptEntry } from './adapt-entry.ts'
import type { FoundConfig, FoundServer } from './find-client-configs.ts'
import { isGatewayEntry } from './gateway-entry.ts'
import { nodeValue } from './node-value.ts'

/** What an import would do. Nothing is written yet. */
export interface ImportPlan {
  /** What our file would hold, secrets and all. Not for showing. */
  readonly text: string
  /** The new servers as they may be shown. */
  readonly preview: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly servers: readonly PlannedServer[]
}

/** What becomes of one server of one client. */
export interface PlannedServer {
  readonly from: FoundConfig
  readonly found: FoundServer
  /**
   * - `added`: under `name`, which is another than before if that was taken
   * - `same`: our file has it already as `name`
   * - `gateway`: it is this gateway
   * - `left`: it cannot be served, for `reason`, and stays where it is
   */
  readonly fate: 'added' | 'same' | 'gateway' | 'left'
  readonly name?: string
  readonly reason?: string
}

export interface PlanImportOptions {
  /** Where our file is or will be. */
  readonly file: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** What our file holds now, if it is there. Its comments and settings stay. */
  readonly existing?: string
}

/** Works out what our file would hold with the servers found. Never throws. */
export function planImport(
  found: readonly FoundConfig[],
  { file, home, env, existing = '{ "mcpServers": {} }' }: PlanImportOptions,
): { readonly plan: ImportPlan } | { readonly problems: readonly ConfigProblem[] } {
  const document = parseDocument(existing, { file })
  if ('problems' in document) return document
  const refused = existingProblem(file, document.root.type)
  if (refused) return { problems: [refused] }

  const names = new Map<string, Record<string, unknown>>()
  for (const key of ['mcpServers', 'servers']) {
    const node = findNodeAtLocation(document.root, [key])
    const servers = node?.type === 'object' ? nodeValue(node) : {}
    for (const [name, entry] of Object.entries(servers as Record<string, Record<string, unknown>>))
      names.set(name, entry)
  }
  const added: Record<string, Record<string, unknown>> = Object.create(null)
  const servers = found.flatMap((from) => from.servers.map((server) => decide(from, server)))
  return { plan: { text: write(), preview: shown(), servers } }

  function decide(from: FoundConfig, server: FoundServer): PlannedServer {
    if (isGatewayEntry(server.entry)) return { from, found: server, fate: 'gateway' }
    const entry = adaptEntry(server.entry, from, home)
    // first, for a server that needs more than we compare is not the same as one that does not
    const reason = whyNot(server.name, entry)
    if (reason) return { from, found: server, fate: 'left', reason }
    for (const [name, other] of names) {
      if (isDeepStrictEqual(essence(other), essence(entry)))
        return { from, found: server, fate: 'same', name }
    }
    const name = freeName(server.name, from.client.id, names.keys())
    names.set(name, entry)
    added[name] = entry
    return { from, found: server, fate: 'added', name }
  }

  /** Whether the gateway could read it. A variable that is not set today may be set tomorrow. */
  function whyNot(name: string, entry: Record<string, unknown>): string | undefined {
    const anyValue = (key: string | symbol) => Reflect.get(env, key) || 'http://localhost'
    const anySet: Record<string, string> = new Proxy(Object.create(null), {
      get: (_, key) => anyValue(key),
      getOwnPropertyDescriptor: (_, key) => ({ configurable: true, value: anyValue(key) }),
    })
    const text = JSON.stringify({ mcpServers: Object.fromEntries([[name, entry]]) })
    const result = readConfig(text, { file, env: anySet })
    if (!('problems' in result)) return undefined
    return result.problems.map(({ message, fix }) => `${message} ${fix}`).join(' ')
  }

  function write(): string {
    const mark = existing.startsWith('\uFEFF') ? '\uFEFF' : ''
    let text = existing.slice(mark.length)
    for (const [name, entry] of Object.entries(added)) {
      text = applyEdits(
        text,
        modify(text, ['mcpServers', name], entry, { formattingOptions: STYLE }),
      )
    }
    return mark + (text.endsWith('\n') ? text : `${text}\n`)
  }

  function shown(): ImportPlan['preview'] {
    return Object.fromEntries(
      Object.entries(added).map(([name, entry]) => [name, redactEntry(entry)]),
    )
  }
}

const STYLE = { insertSpaces: true, tabSize: 2, eol: '\n' }

function existingProblem(file: string, type: string): ConfigProblem | undefined {
  if (type === 'object') return undefined
  const message = 'The file must be an object.'
  return { file, line: 1, column: 1, message, fix: 'Write { "mcpServers": { … } }.' }
}

/** What makes two entries the same server, whatever a client notes beside it. */
function essence(entry: Record<string, unknown>): unknown {
  const { type, command, args, env, cwd, url, serverUrl, headers, auth, oauth, disabled } = entry
  return {
    // a command says by itself what it is
    type: command === undefined ? type : 'stdio',
    command,
    args: args ?? [],
    env: env ?? {},
    cwd,
    url: url ?? serverUrl,
    headers: headers ?? {},
    auth,
    oauth,
    disabled: disabled ?? false,
  }
}

function freeName(name: string, client: string, taken: Iterable<string>): string {
  const prefixes = new Set([...taken].map((other) => toolPrefix(other).toLowerCase()))
  const isFree = (candidate: string) => !prefixes.has(toolPrefix(candidate).toLowerCase())
  if (isFree(name)) return name
  const byClient = `${name}-${client}`
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? byClient : `${byClient}-${count}`
    if (isFree(candidate)) return candidate
  }
}
