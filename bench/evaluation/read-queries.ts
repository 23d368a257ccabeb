import { type EvaluationQuery, labelsOf } from 'toolsearch/evaluation'
import { InputError } from './input-error.ts'
import { type Line, readLines } from './read-lines.ts'

/** The queries of all files together, in their order. @throws InputError */
export async function readQueries(files: readonly string[]): Promise<EvaluationQuery[]> {
  const queries: EvaluationQuery[] = []
  for (const file of files) {
    for await (const line of readLines(file)) queries.push(readQuery(line))
  }
  if (queries.length === 0) throw new InputError(`No queries in ${files.join(', ')}.`)
  return queries
}

/** Relevant names that no tool has: each once, in the order met. */
export function unknownNames(
  queries: readonly EvaluationQuery[],
  tools: readonly { readonly name: string }[],
): string[] {
  const known = new Set(tools.map((tool) => tool.name))
  const named = queries.flatMap((query) => labelsOf(query).flatMap((label) => [...label]))
  return [...new Set(named)].filter((name) => !known.has(name))
}

function readQuery({ fields, place }: Line): EvaluationQuery {
  const { query, relevant, groups, kind, language } = fields
  if (typeof query !== 'string') throw wrong('query', 'must be a string')
  if (!isNames(relevant)) {
    throw wrong('relevant', 'must be a list of tool names, [] where nothing serves the query')
  }
  if (groups !== undefined && !(Array.isArray(groups) && groups.every(isNames))) {
    throw wrong('groups', 'must be a list of lists of tool names')
  }
  if (kind !== undefined && typeof kind !== 'string') throw wrong('kind', 'must be a string')
  if (language !== undefined && typeof language !== 'string') {
    throw wrong('language', 'must be a string')
  }
  return {
    query,
    relevant,
    ...(groups !== undefined && { groups }),
    ...(kind !== undefined && { kind }),
    ...(language !== undefined && { language }),
  }

  function wrong(field: string, problem: string): InputError {
    const given = fields[field] === undefined ? 'is missing; it ' : ''
    return new InputError(`${place}: "${field}" ${given}${problem}`)
  }
}

function isNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string')
}
