import { isDeepStrictEqual } from 'node:util'
import { checkServer } from '../config/check-server.ts'
import type { ConfigProblem } from '../config/config-problem.ts'
import { editConfig } from '../config/edit-config.ts'
import { isGatewayEntry } from '../config/is-gateway-entry.ts'
import { parseDocument } from '../config/parse-document.ts'
import { redactEntry } from '../config/redact-entry.ts'
import { serverEntries } from '../config/server-entries.ts'
import { toolPrefix } from '../config/tool-prefix.ts'
import { schemaUrl } from '../system/gateway-command.ts'
import { adaptEntry } from './adapt-entry.ts'
import type { FoundConfig, FoundServer } from './find-client-configs.ts'
import type { Entry } from './known-client.ts'

/** What an import will do. Nothing has been written yet. */
export interface ImportPlan {
  /** The new content of our file. Contains secrets, so do not show it. */
  readonly text: string
  /** The new servers without secrets. */
  readonly preview: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly servers: readonly PlannedServer[]
}

/** What happens to one server of a client. */
interface PlannedServer {
  readonly from: FoundConfig
  readonly found: FoundServer
  /**
   * - `added`: added as `name`, which differs from the original name if that was taken
   * - `duplicate`: our file already contains it as `name`
   * - `gateway`: it is the gateway itself
   * - `skipped`: cannot be served because of `reason`, so it stays in the client's file
   */
  readonly outcome: 'added' | 'duplicate' | 'gateway' | 'skipped'
  readonly name?: string
  readonly reason?: string
}

export interface PlanImportOptions {
  /** Our configuration file, which may not exist yet. */
  readonly file: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** The current content of our file, if it exists. Its comments and settings are kept. */
  readonly existing?: string
}

/** Plans how to add the servers of clients to our file. Never throws. */
export function planImport(
  found: readonly FoundConfig[],
  { file, home, env, existing: before = '' }: PlanImportOptions,
): { readonly plan: ImportPlan } | { readonly problems: readonly ConfigProblem[] } {
  const existing = before.trim() === '' ? newFile() : before
  const document = parseDocument(existing, { file })
  if ('problems' in document) return document
  const problem = existingProblem(file, document.root.type)
  if (problem) return { problems: [problem] }

  const own = serverEntries(existing, file)
  if ('problems' in own) return own
  const names = new Map([...own.servers].map(([name, { entry }]) => [name, entry]))
  const added: Record<string, Entry> = Object.create(null)
  const servers = found.flatMap((from) => from.servers.flatMap((server) => decide(from, server)))
  return { plan: { text: write(), preview: preview(), servers } }

  function decide(from: FoundConfig, server: FoundServer): PlannedServer | [] {
    const converted = adaptEntry(server, from, { home, env })
    if ('isBuiltIn' in converted) return []
    if ('reason' in converted) return { from, found: server, outcome: 'skipped', ...converted }
    const { entry } = converted
    if (isGatewayEntry(entry)) return { from, found: server, outcome: 'gateway' }
    // check this before comparing: two entries may differ only in something the gateway does not support
    const reason = checkServer(server.name, entry, { file, env })
    if (reason) return { from, found: server, outcome: 'skipped', reason }
    for (const [name, other] of names) {
      if (isDeepStrictEqual(identityOf(other), identityOf(entry)))
        return { from, found: server, outcome: 'duplicate', name }
    }
    const name = freeName(server.name, from.client.id, names.keys())
    names.set(name, entry)
    added[name] = entry
    return { from, found: server, outcome: 'added', name }
  }

  function write(): string {
    const edits = Object.entries(added).map(([name, value]) => ({
      path: ['mcpServers', name],
      value,
    }))
    const text = editConfig(existing, edits)
    return text.endsWith('\n') ? text : `${text}\n`
  }

  function preview(): ImportPlan['preview'] {
    return Object.fromEntries(
      Object.entries(added).map(([name, entry]) => [name, redactEntry(entry)]),
    )
  }
}

function newFile(): string {
  return `${JSON.stringify({ $schema: schemaUrl(), mcpServers: {} }, null, 2)}\n`
}

function existingProblem(file: string, type: string): ConfigProblem | undefined {
  if (type === 'object') return undefined
  const message = 'The file must contain an object.'
  return { file, line: 1, column: 1, message, fix: 'Write { "mcpServers": { … } }.' }
}

/** The fields that determine whether two entries are the same server. */
function identityOf(entry: Entry): unknown {
  const { type, command, args, env, cwd, url, serverUrl, headers, auth, oauth, disabled } = entry
  return {
    // the type is optional next to a command
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
