import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../input-error.ts'

/** The files of a data set. */
export interface SetFiles {
  readonly name: string
  readonly tools: string
  readonly queries: string
}

/** Finds the sets in a folder that have both tools and queries. @throws InputError if there are none */
export function findSets(folder: string): SetFiles[] {
  const names = existsSync(folder) ? readdirSync(folder).sort() : []
  const sets = names
    .map((name) => setFiles(folder, name))
    .filter(({ tools, queries }) => existsSync(tools) && existsSync(queries))
  if (sets.length > 0) return sets
  throw new InputError(
    `No data sets in ${folder}: expected <set>/tools.jsonl and <set>/queries.jsonl. ` +
      'Choose another folder with --data DIR.',
  )
}

export function setFiles(folder: string, name: string): SetFiles {
  return {
    name,
    tools: join(folder, name, 'tools.jsonl'),
    queries: join(folder, name, 'queries.jsonl'),
  }
}
