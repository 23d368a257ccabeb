import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createToolSearch, type ToolDefinition } from 'toolsearch'
import { readQueries } from '../data/read-queries.ts'
import { readDefinitions } from '../data/read-tools.ts'
import { InputError } from '../input-error.ts'
import type { EvaluationSet } from './evaluation-set.ts'

const MANIFESTS = join(import.meta.dirname, '../../testing/manifests/servers')
const REQUESTS = join(import.meta.dirname, 'requests.jsonl')

/** Whether both files of `requestsSet` exist. */
export function hasRequests(): boolean {
  return existsSync(REQUESTS) && existsSync(MANIFESTS)
}

/** Requests for the tools of published MCP servers. @throws InputError if the files are missing */
export function requestsSet(): EvaluationSet {
  const { catalogue } = createToolSearch({ tools: readManifests(MANIFESTS) })
  return { tools: catalogue.tools(), queries: readQueries([REQUESTS]) }
}

/** Reads one `.jsonl` file per server, as a client that connects to all of them sees the tools. */
export function readManifests(folder: string): ToolDefinition[] {
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  const servers = files.filter((file) => file.endsWith('.jsonl'))
  if (servers.length === 0) throw new InputError(`No manifests in ${folder}: expected *.jsonl.`)
  return servers.flatMap((file) => {
    const server = basename(file, '.jsonl')
    return readDefinitions(join(folder, file)).map(({ definition }) => ({
      ...definition,
      name: `mcp__${server}__${definition.name}`,
      source: `mcp:${server}` as const,
    }))
  })
}
