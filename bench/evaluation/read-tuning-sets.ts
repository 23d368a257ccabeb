import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool } from 'toolsearch'
import type { EvaluationQuery } from '../../packages/toolsearch/src/evaluation/evaluation-set.ts'
import { readQueries } from './read-queries.ts'
import { readTools } from './read-tools.ts'

export interface TuningSet {
  readonly name: string
  readonly tools: readonly Tool[]
  readonly queries: readonly EvaluationQuery[]
}

/** The sets in a folder, of each about as many queries as wanted, evenly spread, all served. */
export async function readTuningSets(folder: string, wanted: number): Promise<TuningSet[]> {
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  const sets: TuningSet[] = []
  for (const name of names) {
    const files = ['tools.jsonl', 'queries.jsonl'].map((file) => join(folder, name, file))
    if (!files.every((file) => existsSync(file))) continue
    const queries = await readQueries([files[1]!])
    const every = Math.max(1, Math.floor(queries.length / wanted))
    sets.push({
      name,
      tools: (await readTools([files[0]!])).tools,
      queries: queries.filter((query, at) => at % every === 0 && query.relevant.length > 0),
    })
  }
  return sets
}
