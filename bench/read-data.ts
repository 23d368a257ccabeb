import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tool, ToolDefinition } from 'toolsearch'
import { createCatalogue } from '../packages/toolsearch/src/catalogue/catalogue.ts'

/** The data folder is not where it was looked for. The message says what was expected. */
export class MissingDataError extends Error {
  override readonly name = 'MissingDataError'
  readonly code = 'missing_data'

  constructor(path: string, what: string) {
    super(`There is no ${path}: ${what} is expected there. Name the data folder with --data DIR.`)
  }
}

export interface CatalogueData {
  readonly tools: readonly Tool[]
  /** How many definitions of the file are not valid and were left out. */
  readonly refused: number
}

/** The tools of `<folder>/<set>/tools.jsonl`. @throws MissingDataError */
export function readCatalogue(folder: string, set: string): CatalogueData {
  const file = join(folder, set, 'tools.jsonl')
  const catalogue = createCatalogue()
  const { rejected } = catalogue.add(readLines(file).map(toDefinition), { problems: 'skip' })
  return { tools: catalogue.tools(), refused: rejected.length }
}

/** The queries of every set that has some, by the name of the set. @throws MissingDataError */
export function readQueries(folder: string): ReadonlyMap<string, readonly string[]> {
  const sets = existsSync(folder) ? readdirSync(folder).sort() : []
  const queries = new Map<string, readonly string[]>()
  for (const set of sets) {
    const file = join(folder, set, 'queries.jsonl')
    if (!existsSync(file)) continue
    queries.set(
      set,
      readLines(file).map((line) => String(line.query)),
    )
  }
  if (queries.size === 0) {
    throw new MissingDataError(join(folder, '*', 'queries.jsonl'), 'one query in each line')
  }
  return queries
}

function toDefinition({ name, description, parameters }: Record<string, unknown>): ToolDefinition {
  return { name, description, inputSchema: parameters } as ToolDefinition
}

/** The JSON of every line of a file. @throws MissingDataError */
export function readLines<Line = Record<string, unknown>>(file: string): Line[] {
  if (!existsSync(file)) throw new MissingDataError(file, 'one entry in each line')
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  return lines.map((line) => JSON.parse(line))
}
