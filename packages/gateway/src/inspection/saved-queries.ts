import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { EvaluationQuery } from 'toolsearch/evaluation'
import { isObject } from '../protocol/json-object.ts'
import { atomicWrite } from '../system/atomic-write.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import type { LineProblem, SavedQuery } from './api.ts'

/**
 * Test queries with known answers, in a JSON Lines file or in PostgreSQL. `saved-queries.cases.ts` is the
 * contract.
 */
export interface SavedQueries {
  /** Where they are, for people: the path of the file, or `PostgreSQL`. */
  readonly file: string
  /** In the order in which they were added; empty if the file does not exist. */
  read(): Promise<{ queries: EvaluationQuery[]; problems: LineProblem[] }>
  /** Adds a query, or replaces the relevant tools of an existing one. */
  save(query: SavedQuery): Promise<void>
  /** Resolves to false if the query was not saved. */
  remove(query: string): Promise<boolean>
}

/** The file of saved queries that belongs to a configuration file. */
export function savedQueriesFile(configFile: string): string {
  return join(dirname(configFile), 'toolsearch.queries.jsonl')
}

export function createSavedQueries(file: string): SavedQueries {
  const edits = createSerialQueue()

  /** Runs edits one after the other. Lines that cannot be parsed stay untouched. */
  function edit<T>(change: (lines: QueryLine[]) => T): Promise<T> {
    return edits.run(async () => {
      const before = await textOf(file)
      const lines = parseQueries(before)
      const result = change(lines)
      const after = lines.map(({ line }) => `${line}\n`).join('')
      if (after !== before) await atomicWrite(file, after, { newFileMode: 0o666 })
      return result
    })
  }

  return {
    file,
    async read() {
      await edits.idle()
      const lines = parseQueries(await textOf(file))
      return {
        queries: lines.flatMap(({ query }) => query ?? []),
        problems: lines.flatMap(({ at, problem }) =>
          problem === undefined ? [] : { line: at, problem },
        ),
      }
    },
    save: ({ query, relevant }) =>
      edit((lines) => {
        const at = lines.findIndex((each) => each.query?.query === query)
        const { groups: _, ...known } = lines[at]?.query ?? {}
        const line = JSON.stringify({ ...known, query, relevant })
        lines.splice(at < 0 ? lines.length : at, 1, { line, at })
      }),
    remove: (query) =>
      edit((lines) => {
        const remaining = lines.filter((each) => each.query?.query !== query)
        const isFound = remaining.length < lines.length
        lines.splice(0, lines.length, ...remaining)
        return isFound
      }),
  }
}

/** A line of the file with its query, or with the reason why it has none. */
interface QueryLine {
  readonly line: string
  /** Line number, starting at 1. */
  readonly at: number
  readonly query?: EvaluationQuery
  readonly problem?: string
}

/** Parses the text of a query file. Skips empty lines. */
export function parseQueries(text: string): QueryLine[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line, at) => ({ line, at: at + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map((entry) => ({ ...entry, ...parseLine(entry.line) }))
}

function parseLine(line: string): Pick<QueryLine, 'query' | 'problem'> {
  try {
    const data: unknown = JSON.parse(line)
    if (!isObject(data) || typeof data.query !== 'string') return { problem: '"query" is missing' }
    const { relevant } = data
    const isList = Array.isArray(relevant) && relevant.every((name) => typeof name === 'string')
    if (!isList) return { problem: '"relevant" must be a list of tool names' }
    return { query: data as unknown as EvaluationQuery }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    // Any other error must not look like an empty file: saving would overwrite it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
