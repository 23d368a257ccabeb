import type { ToolDefinition } from 'toolsearch'
import type { EvaluationQuery } from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { readQueries } from '../data/read-queries.ts'
import type { SetFiles } from '../data/read-sets.ts'
import { readDefinitions } from '../data/read-tools.ts'

/** Tools, and queries with their relevant tools. */
export interface RetrievalSet {
  readonly name: string
  /** Only names, descriptions and parameters, which every contender can use. */
  readonly tools: readonly ToolDefinition[]
  readonly queries: readonly EvaluationQuery[]
}

// In sets with more queries than this, every tenth query is enough.
const MANY_QUERIES = 10_000

/** @throws InputError */
export function readRetrievalSet({ name, tools, queries: queriesFile }: SetFiles): RetrievalSet {
  const queries = readQueries([queriesFile])
  return {
    name,
    tools: readDefinitions(tools).map(({ definition }) => portable(definition)),
    queries: queries.length > MANY_QUERIES ? queries.filter((_, at) => at % 10 === 0) : queries,
  }
}

function portable({ name, description = '', inputSchema }: ToolDefinition): ToolDefinition {
  return { name, description, ...(inputSchema && { inputSchema }) }
}
