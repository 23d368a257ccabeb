import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { InputError } from '../input-error.ts'
import type { EvaluationFiles } from './evaluation-set.ts'
import { RANKERS } from './rankers.ts'

export interface EvalOptions {
  /** Without files, the set of this repository. */
  readonly files?: EvaluationFiles
  readonly ranker: string
  readonly baseline?: string
  readonly minRecall?: number
  readonly minDoubted?: number
  readonly worst: number
  readonly limit: number
  readonly json: boolean
  readonly help: boolean
}

export const HELP: string = `Measure how well a ranker finds the right tools for a set of queries.

  npm run eval -- [--tools F... --queries F...] [--ranker NAME] [--baseline NAME] [options]

  --tools F...        files with one tool per line: {"name","description","parameters","server"}
  --queries F...      files with one query per line: {"query","relevant":[names],"groups","kind"}
                      (default: the set of this repository)
  --ranker NAME       ${Object.keys(RANKERS).join(', ')} (default: unified)
  --baseline NAME     another ranker to compare with: prints the difference in R@5 and its
                      95 % interval
  --min-recall S      exit with code 1 if R@5 is below this share (0 to 1)
  --min-doubted S     exit with code 1 if the share of queries without a relevant tool that get
                      an empty result or low confidence is below this (0 to 1)
  --worst N           number of worst queries to print (default: 5)
  --limit K           maximum number of tools per search, 1 to 10 (default: 10)
  --json              print the figures as JSON
  --help              print this text

Examples

  npm run eval
  npm run eval -- --ranker fielded --baseline bm25 --worst 20
  npm run eval -- --tools tools.jsonl --queries queries.jsonl --min-recall 0.8
  npm run eval -- --tools a/tools.jsonl b/tools.jsonl --queries a/queries.jsonl --json

Exit codes: 0 success, 1 below a minimum, 2 wrong options or input.`

/** Reads the command line. Relative paths start at `folder`. @throws InputError */
export function readOptions(args: readonly string[], folder: string): EvalOptions {
  const values = parse(args)
  const { tools = [], queries = [] } = values
  if ((tools.length === 0) !== (queries.length === 0)) {
    throw new InputError(
      'Use --tools and --queries together, or neither for the set of this repository.',
    )
  }
  const absolute = (files: readonly string[]) => files.map((file) => resolve(folder, file))
  return {
    ...(tools.length > 0 && { files: { tools: absolute(tools), queries: absolute(queries) } }),
    ranker: rankerName(values.ranker ?? 'unified'),
    ...(values.baseline !== undefined && { baseline: rankerName(values.baseline) }),
    ...share('minRecall', '--min-recall', values['min-recall']),
    ...share('minDoubted', '--min-doubted', values['min-doubted']),
    worst: wholeNumber('--worst', values.worst ?? '5', 0, 1_000_000),
    limit: wholeNumber('--limit', values.limit ?? '10', 1, 10),
    json: values.json ?? false,
    help: values.help ?? false,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: repeatFileOptions(args),
      options: {
        tools: { type: 'string', multiple: true },
        queries: { type: 'string', multiple: true },
        ranker: { type: 'string' },
        baseline: { type: 'string' },
        'min-recall': { type: 'string' },
        'min-doubted': { type: 'string' },
        worst: { type: 'string' },
        limit: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values
  } catch (error) {
    throw new InputError(`${(error as Error).message} See --help.`)
  }
}

/** A shell expands `--tools *.jsonl` to one option and several files: repeats the option for each. */
function repeatFileOptions(args: readonly string[]): string[] {
  let option = ''
  let files = 0
  return args.flatMap((arg) => {
    if (arg.startsWith('-')) {
      option = arg === '--tools' || arg === '--queries' ? arg : ''
      files = 0
      return [arg]
    }
    return option !== '' && files++ > 0 ? [option, arg] : [arg]
  })
}

function rankerName(name: string): string {
  if (Object.hasOwn(RANKERS, name)) return name
  throw new InputError(
    `There is no ranker "${name}". Choose one of ${Object.keys(RANKERS).join(', ')}.`,
  )
}

function share<Key extends string>(
  key: Key,
  option: string,
  text: string | undefined,
): { [K in Key]?: number } {
  if (text === undefined) return {}
  const value = Number(text)
  if (text.trim() === '' || !(value >= 0 && value <= 1)) {
    throw new InputError(`${option} must be a share from 0 to 1, not "${text}".`)
  }
  return { [key]: value } as { [K in Key]?: number }
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new InputError(`${option} must be a whole number from ${least} to ${most}, not "${text}".`)
}
