import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ToolDefinition } from 'toolsearch'
import type { EvaluationQuery } from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { MissingDataError, readLines } from '../read-data.ts'
import { mendDefinition } from './mend-definition.ts'

/** Tools, and queries of which it is known what they should find. */
export interface RetrievalSet {
  readonly name: string
  readonly tools: readonly ToolDefinition[]
  /** How many of the tools have a schema that our catalogue refuses, and were mended. */
  readonly mended: number
  readonly queries: readonly EvaluationQuery[]
}

// of a set with more queries than this, every tenth is telling enough
const MANY_QUERIES = 10_000

/** The names of the sets in a folder that have queries. @throws MissingDataError */
export function setNames(folder: string): string[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  const sets = names.filter((name) => existsSync(join(folder, name, 'queries.jsonl')))
  if (sets.length > 0) return sets
  throw new MissingDataError(join(folder, '*', 'queries.jsonl'), 'one query in each line')
}

/** @throws MissingDataError */
export function readSet(folder: string, name: string): RetrievalSet {
  const definitions = readLines<ToolLine>(join(folder, name, 'tools.jsonl')).map(toDefinition)
  const tools = definitions.map(mendDefinition)
  const queries = readLines<EvaluationQuery>(join(folder, name, 'queries.jsonl'))
  return {
    name,
    tools,
    mended: tools.filter((tool, at) => tool !== definitions[at]).length,
    queries: queries.length > MANY_QUERIES ? queries.filter((_, at) => at % 10 === 0) : queries,
  }
}

interface ToolLine {
  readonly name: string
  readonly description?: string
  readonly parameters?: ToolDefinition['inputSchema']
}

function toDefinition({ name, description = '', parameters }: ToolLine): ToolDefinition {
  return { name, description, ...(parameters && { inputSchema: parameters }) }
}
