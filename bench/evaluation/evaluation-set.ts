import { join } from 'node:path'
import { createToolSearch, type Tool, type ToolDefinition } from 'toolsearch'
import { readServers } from '../../testing/catalogue/read-servers.ts'
import { type DividedQuery, readQueries } from '../data/read-queries.ts'
import { readTools } from '../data/read-tools.ts'

/** Tools, and queries with their relevant tools. */
export interface EvaluationSet {
  readonly tools: readonly Tool[]
  readonly queries: readonly DividedQuery[]
}

export interface EvaluationFiles {
  readonly tools: readonly string[]
  readonly queries: readonly string[]
}

/** @throws InputError */
export function readEvaluationSet({ tools, queries }: EvaluationFiles): EvaluationSet {
  return { tools: readTools(tools), queries: readQueries(queries) }
}

// Rankers break ties by catalogue order, so the figures depend on the order of the servers.
const OWN_SERVERS = [
  ...['chat', 'mail', 'calendar', 'drive', 'forge', 'tracker', 'ci', 'cluster', 'db', 'buckets'],
  ...['monitor', 'logs', 'oncall', 'flags', 'payments', 'invoicing', 'crm', 'support', 'shop'],
  ...['parcels', 'hr', 'recruiting', 'travel', 'maps', 'weather', 'music', 'home', 'text'],
  ...['browser', 'sheets'],
]
const OWN_QUERIES = join(import.meta.dirname, 'queries.jsonl')

/** The set of this repository: 286 tools of 30 invented servers, and 746 queries. */
export function ownSet(): EvaluationSet {
  const { catalogue } = createToolSearch({ tools: ownTools() })
  return { tools: catalogue.tools(), queries: readQueries([OWN_QUERIES]) }
}

/** The tools of that set, under other server names where `names` has one. */
export function ownTools(names: Readonly<Record<string, string>> = {}): ToolDefinition[] {
  return readServers(
    Object.fromEntries(OWN_SERVERS.map((server) => [names[server] ?? server, server])),
  )
}
