import { findNodeAtLocation, type JSONPath, type Node } from 'jsonc-parser'
import type { ConfigProblem } from '../config/config-problem.ts'
import { readConfigFile, unreadable } from '../config/load-config.ts'
import { nodeValue, parseDocument } from '../config/parse-document.ts'
import { isObject } from '../protocol/json-object.ts'
import { type ClientFile, KNOWN_CLIENTS, type KnownClient, type Machine } from './known-clients.ts'

/** A group of servers in a client's configuration file. */
export interface FoundConfig {
  readonly client: KnownClient
  readonly file: string
  /** The JSON path of the servers in the file. */
  readonly path: JSONPath
  /** The project folder that the servers belong to; undefined if they apply to every project. */
  readonly project?: string
  readonly servers: readonly FoundServer[]
  /** The reasons if the file cannot be read. */
  readonly problems: readonly ConfigProblem[]
}

export interface FoundServer {
  readonly name: string
  /** The entry in the file, including secrets. */
  readonly entry: Readonly<Record<string, unknown>>
}

/**
 * Finds the servers that MCP clients on this machine have configured, grouped by file and project. Skips
 * missing files and files without servers. Never rejects.
 */
export async function findClientConfigs(machine: Machine): Promise<FoundConfig[]> {
  const found: FoundConfig[] = []
  const seen = new Set<string>()
  for (const client of KNOWN_CLIENTS) {
    for (const place of client.files(machine)) {
      // if the project is the home folder, both of a client's files may be the same file
      if (seen.has(place.file)) continue
      seen.add(place.file)
      found.push(...(await readClientFile(client, place)))
    }
  }
  return found
}

// Claude Code's file contains much more than servers
const MAX_CHARS = 50_000_000

async function readClientFile(client: KnownClient, place: ClientFile): Promise<FoundConfig[]> {
  const { file, project, holdsProjects } = place
  const at = { client, file, path: [client.serversKey], ...(project ? { project } : {}) }
  const read = await readConfigFile(file)
  if (!('text' in read)) {
    if (read.error.code === 'ENOENT' || read.error.code === 'ENOTDIR') return []
    const result = unreadable(file, read.error)
    return [{ ...at, servers: [], problems: 'problems' in result ? result.problems : [] }]
  }
  const document = parseDocument(read.text, { file, maxChars: MAX_CHARS })
  if ('problems' in document) return [{ ...at, servers: [], problems: document.problems }]
  const { root } = document
  const found: FoundConfig[] = [{ ...at, servers: serversAt(root, at.path), problems: [] }]
  const projects = holdsProjects ? keysOf(findNodeAtLocation(root, ['projects'])) : []
  for (const folder of projects) {
    const path = ['projects', folder, client.serversKey]
    const servers = serversAt(root, path)
    found.push({ client, file, path, project: folder, servers, problems: [] })
  }
  return found.filter(({ servers }) => servers.length > 0)
}

function serversAt(root: Node, path: JSONPath): FoundServer[] {
  const node = findNodeAtLocation(root, path)
  const servers = node?.type === 'object' ? nodeValue(node) : {}
  return Object.entries(servers as Record<string, unknown>)
    .filter((pair): pair is [string, Record<string, unknown>] => isObject(pair[1]))
    .map(([name, entry]) => ({ name, entry }))
}

function keysOf(node: Node | undefined): string[] {
  if (node?.type !== 'object') return []
  return [...new Set((node.children ?? []).map(({ children }) => String(children?.[0]?.value)))]
}
