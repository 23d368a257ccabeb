import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { InputError } from '../bench/input-error.ts'

/** A request and a tool that serves it. */
export interface ToolPair {
  readonly source: string
  readonly request: string
  /** Name of the tool. Several pairs of a source can have the same tool. */
  readonly name: string
  /** The text of the tool as search embeds it: server, name and description. */
  readonly text: string
}

const FILE = '.jsonl.gz'
// The evaluation reports figures on these sets, so the table must not learn from them.
const EVALUATION_SETS = ['dev-metatool', 'dev-toollinkos']

/**
 * Reads the files of a folder in the order of their names. Each line of a file is
 * `{query, tool: {name, description, server?}, source}`.
 *
 * @throws InputError if the folder has no pairs
 */
export function readPairs(folder: string): ToolPair[] {
  const files = existsSync(folder) ? readdirSync(folder).sort() : []
  const pairs = files
    .filter((file) => file.endsWith(FILE) && !EVALUATION_SETS.includes(file.replace(FILE, '')))
    .flatMap((file) => readFile(join(folder, file)))
  if (pairs.length > 0) return pairs
  throw new InputError(
    `No training pairs in ${folder}: expected <source>${FILE}. Choose another folder with --pairs DIR.`,
  )
}

function readFile(file: string): ToolPair[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n')
  return lines.filter(Boolean).map((line) => {
    const { query, tool, source } = JSON.parse(line)
    const { name, description, server = '' } = tool
    return { source, request: query, name, text: `${server} ${name}. ${description}` }
  })
}
