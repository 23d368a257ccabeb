import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { EvaluationQuery } from 'toolsearch/evaluation'
import { isObject } from '../protocol/json-object.ts'
import { atomicWrite } from '../system/atomic-write.ts'
import { createSerialQueue } from '../system/serial-queue.ts'
import type { LineProblem, SavedQuery } from './api.ts'

/** Queries whose answers are known, in a file with one JSON object to a line. */
export interface SavedQueries {
  readonly file: string
  /** In the order of the file. None if there is no file. */
  read(): Promise<{ queries: EvaluationQuery[]; problems: LineProblem[] }>
  /** Adds a query, or replaces what is known of it. */
  save(query: SavedQuery): Promise<void>
  /** False if there was none. */
  remove(query: string): Promise<boolean>
}

/** Where the queries for a configuration are. */
export function savedQueriesFile(configFile: string): string {
  return join(dirname(configFile), 'toolsearch.queries.jsonl')
}

export function createSavedQueries(file: string): SavedQueries {
  const edits = createSerialQueue()

  /** One after the other. What is not understood stays as it is. */
  function edit<T>(change: (lines: QueryLine[]) => T): Promise<T> {
    return edits.run(async () => {
      const before = await textOf(file)
      const lines = parseQueries(before)
      const given = change(lines)
      const after = lines.map(({ line }) => `${line}\n`).join('')
      if (after !== before) await atomicWrite(file, after, { newFileMode: 0o666 })
      return given
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
        const at = lines.findIndex((one) => one.query?.query === query)
        const { groups: _, ...known } = lines[at]?.query ?? {}
        const line = JSON.stringify({ ...known, query, relevant })
        lines.splice(at < 0 ? lines.length : at, 1, { line, at })
      }),
    remove: (query) =>
      edit((lines) => {
        const kept = lines.filter((one) => one.query?.query !== query)
        const isFound = kept.length < lines.length
        lines.splice(0, lines.length, ...kept)
        return isFound
      }),
  }
}

/** One line of a file: what is in it, or why that cannot be used. */
interface QueryLine {
  readonly line: string
  /** From one. */
  readonly at: number
  readonly query?: EvaluationQuery
  readonly problem?: string
}

/** Reads the text of such a file; empty lines are left out. */
export function parseQueries(text: string): QueryLine[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r?\n/)
    .map((line, at) => ({ line, at: at + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map((one) => ({ ...one, ...parseLine(one.line) }))
}

function parseLine(line: string): Pick<QueryLine, 'query' | 'problem'> {
  try {
    const data: unknown = JSON.parse(line)
    if (!isObject(data) || typeof data.query !== 'string') return { problem: 'there is no "query"' }
    const { relevant } = data
    const isList = Array.isArray(relevant) && relevant.every((name) => typeof name === 'string')
    if (!isList) return { problem: '"relevant" must be a list of names of tools' }
    return { query: data as unknown as EvaluationQuery }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    // only where there is none yet may one be begun
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}
