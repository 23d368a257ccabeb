import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { ConfigProblem } from '../config/config-problem.ts'
import { readConfigFile, unreadable } from '../config/load-config.ts'
import { isObject } from '../protocol/json-object.ts'
import type { ClientFile, Entry, KnownClient, Machine, ServerGroup } from './known-client.ts'
import { KNOWN_CLIENTS } from './known-clients.ts'
import { parseClientFile } from './parse-client-file.ts'

/** A group of servers in a client's configuration file. */
export interface FoundConfig {
  readonly client: KnownClient
  readonly file: string
  /** The keys that lead to the servers in the file. */
  readonly path: readonly string[]
  /** The project folder that the servers belong to; undefined if they apply to every project. */
  readonly project?: string
  readonly servers: readonly FoundServer[]
  /** The reasons if the file cannot be read. */
  readonly problems: readonly ConfigProblem[]
}

export interface FoundServer {
  readonly name: string
  /** The entry in the file, including secrets. */
  readonly entry: Entry
  /** Whether it is turned off elsewhere in the file. */
  readonly isDisabled?: boolean
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

/** The clients on this machine: those with a file for all projects, or at least the folder for it. */
export function findClients(machine: Machine): KnownClient[] {
  return KNOWN_CLIENTS.filter((client) =>
    client
      .files(machine)
      .some(
        ({ file, project }) =>
          existsSync(file) ||
          (project === undefined &&
            ![machine.home, machine.cwd].includes(dirname(file)) &&
            existsSync(dirname(file))),
      ),
  )
}

async function readClientFile(client: KnownClient, place: ClientFile): Promise<FoundConfig[]> {
  const { file, project, notUnderstood } = place
  const at = { client, file, path: [], ...(project ? { project } : {}) }
  const read = await readConfigFile(file)
  if (!('text' in read)) {
    if (read.error.code === 'ENOENT' || read.error.code === 'ENOTDIR') return []
    const result = unreadable(file, read.error)
    return [{ ...at, servers: [], problems: 'problems' in result ? result.problems : [] }]
  }
  if (notUnderstood !== undefined) {
    return [
      { ...at, servers: [], problems: [problem('This format is not supported.', notUnderstood)] },
    ]
  }
  const parsed = parseClientFile(read.text, file)
  if ('problems' in parsed) return [{ ...at, servers: [], problems: parsed.problems }]
  if (!isObject(parsed.content)) {
    const fix = 'Correct the file and import again.'
    return [{ ...at, servers: [], problems: [problem('The file must contain an object.', fix)] }]
  }
  const groups = client.groups(parsed.content, place).map((group): FoundConfig => {
    const { path } = group
    const inProject = group.project ?? project
    const { servers, odd } = serversAt(parsed.content, group)
    const problems = odd.map((message) =>
      problem(message, 'Correct or remove it and import again.'),
    )
    return { client, file, path, ...(inProject && { project: inProject }), servers, problems }
  })
  return groups.filter(({ servers, problems }) => servers.length > 0 || problems.length > 0)

  function problem(message: string, fix: string): ConfigProblem {
    return { file, line: 1, column: 1, message, fix }
  }
}

/** The servers at a path, and what is wrong with entries that are not servers. */
function serversAt(
  content: unknown,
  { path, disabled = [] }: ServerGroup,
): { servers: FoundServer[]; odd: string[] } {
  const servers: FoundServer[] = []
  const odd: string[] = []
  let node: unknown = content
  for (const depth of path.keys()) {
    node = isObject(node) && Object.hasOwn(node, path[depth]!) ? node[path[depth]!] : undefined
    if (node === undefined || node === null) return { servers, odd }
    const isLast = depth === path.length - 1
    if (isObject(node) || (isLast && Array.isArray(node))) continue
    return { servers, odd: [`"${path.slice(0, depth + 1).join('.')}" must be an object.`] }
  }
  const isList = Array.isArray(node)
  for (const [key, entry] of Object.entries(node as Record<string, unknown>)) {
    const name = isList ? isObject(entry) && entry.name : key
    if (!isObject(entry) || typeof name !== 'string') {
      odd.push(`"${[...path, key].join('.')}" is not a server.`)
      continue
    }
    servers.push({ name, entry, ...(disabled.includes(name) && { isDisabled: true }) })
  }
  return { servers, odd }
}
