import type { ToolDefinition } from 'toolsearch'
import {
  type EvaluationQuery,
  labelsOf,
} from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { readQueries } from '../data/read-queries.ts'
import type { SetFiles } from '../data/read-sets.ts'
import { readDefinitions } from '../data/read-tools.ts'
import { requestSet } from '../evaluation/request-set.ts'

/** Tools, and queries with their relevant tools. */
export interface RetrievalSet {
  readonly name: string
  /** Only names, descriptions and parameters, which every contender can use. */
  readonly tools: readonly ToolDefinition[]
  /** Queries with relevant tools. */
  readonly queries: readonly EvaluationQuery[]
}

/** The name of the set of this repository. */
export const REQUESTS = 'requests'

// In sets with more queries than this, every tenth query is enough.
const MANY_QUERIES = 10_000

/** @throws InputError */
export function readRetrievalSet({ name, tools, queries: queriesFile }: SetFiles): RetrievalSet {
  const queries = readQueries([queriesFile]).filter(isServed)
  return {
    name,
    tools: readDefinitions(tools).map(({ definition }) => portable(definition)),
    queries: queries.length > MANY_QUERIES ? queries.filter((_, at) => at % 10 === 0) : queries,
  }
}

/** The requests for published MCP servers, which are part of this repository. @throws InputError */
export function readRequests(): RetrievalSet {
  const { tools, queries } = requestSet()
  return { name: REQUESTS, tools: tools.map(portable), queries: queries.filter(isServed) }
}

function isServed(query: EvaluationQuery): boolean {
  return labelsOf(query).length > 0
}

function portable({ name, description = '', inputSchema }: ToolDefinition): ToolDefinition {
  return { name, description, ...(inputSchema && { inputSchema }) }
}
