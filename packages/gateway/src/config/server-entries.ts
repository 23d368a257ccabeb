import { findNodeAtLocation } from 'jsonc-parser'
import type { ConfigProblem } from './config-problem.ts'
import { nodeValue, parseDocument } from './parse-document.ts'

/** The servers of a configuration file as they are written, without checking them. */
export interface ServerEntries {
  /** By name, with the path for `editConfig`. */
  readonly servers: ReadonlyMap<string, ServerPlace>
  /** The key under which new servers belong. */
  readonly key: 'mcpServers' | 'servers'
}

export interface ServerPlace {
  readonly path: readonly [key: string, name: string]
  readonly entry: Readonly<Record<string, unknown>>
}

/** Finds the servers in the text of a configuration file. Never throws. */
export function serverEntries(
  text: string,
  file: string,
): ServerEntries | { readonly problems: readonly ConfigProblem[] } {
  const document = parseDocument(text, { file })
  if ('problems' in document) return document
  const servers = new Map<string, ServerPlace>()
  const keys = ['mcpServers', 'servers'] as const
  const used = keys.filter((key) => findNodeAtLocation(document.root, [key])?.type === 'object')
  for (const key of used) {
    const entries = nodeValue(findNodeAtLocation(document.root, [key])!) as object
    for (const [name, entry] of Object.entries(entries)) {
      if (typeof entry === 'object' && entry !== null)
        servers.set(name, { path: [key, name], entry })
    }
  }
  return { servers, key: used[0] ?? 'mcpServers' }
}
