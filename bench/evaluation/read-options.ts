import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { InputError } from '../input-error.ts'
import type { EvaluationFiles } from './evaluation-set.ts'
import { MINIMUMS, type Minimums } from './minimums.ts'
import { isOwnSet, OWN_SETS, type OwnSetName } from './own-sets.ts'
import { RANKERS } from './rankers.ts'

export interface EvalOptions {
  /** Without files, `set` is evaluated. */
  readonly files?: EvaluationFiles
  readonly set: OwnSetName
  readonly half?: 'a' | 'b'
  readonly ranker: string
  readonly baseline?: string
  readonly minimums: Minimums
  readonly worst: number
  readonly limit: number
  readonly json: boolean
  readonly help: boolean
}

export const HELP: string = `Measure how well a ranker finds the right tools for a set of queries.

  npm run bench -- eval [--set NAME | --tools F... --queries F...] [--ranker NAME] [options]

  --set NAME          a set of this repository: catalogue (invented tools, the default) or
                      requests (requests for the tools of published MCP servers)
  --half a|b          only this half of the queries, for a set whose queries have a "half"
  --tools F...        files with one tool per line: {"name","description","parameters","server"}
  --queries F...      files with one query per line: {"query","relevant":[names],"groups","kind"}
                      (default: --set)
  --ranker NAME       ${Object.keys(RANKERS).join(', ')} (default: unified)
  --baseline NAME     another ranker to compare with: prints the difference in R@5 and its
                      95 % interval
${MINIMUMS.map(({ option, help }) => `  ${`--${option} S`.padEnd(20)}exit with code 1 if ${help}`).join('\n')}
  --worst N           number of worst queries to print (default: 5)
  --limit K           maximum number of tools per search, 1 to 10 (default: 10)
  --json              print the figures as JSON
  --help              print this text

Examples

  npm run bench -- eval
  npm run bench -- eval --set requests --half b --ranker unified-hybrid
  npm run bench -- eval --ranker fielded --baseline bm25 --worst 20
  npm run bench -- eval --tools tools.jsonl --queries queries.jsonl --min-recall 0.8
  npm run bench -- eval --tools a/tools.jsonl b/tools.jsonl --queries a/queries.jsonl --json

Exit codes: 0 success, 1 below a minimum, 2 wrong options or input.`

/** Reads the command line. Relative paths start at `folder`. @throws InputError */
export function readOptions(args: readonly string[], folder: string): EvalOptions {
  const values = parse(args)
  const { tools = [], queries = [] } = values
  if ((tools.length === 0) !== (queries.length === 0)) {
    throw new InputError(
      'Use --tools and --queries together, or neither for a set of this repository.',
    )
  }
  if (tools.length > 0 && values.set !== undefined) {
    throw new InputError('Use either --set, or --tools and --queries.')
  }
  const absolute = (files: readonly string[]) => files.map((file) => resolve(folder, file))
  return {
    ...(tools.length > 0 && { files: { tools: absolute(tools), queries: absolute(queries) } }),
    set: setName(values.set ?? 'catalogue'),
    ...(values.half !== undefined && { half: halfName(values.half) }),
    ranker: rankerName(values.ranker ?? 'unified'),
    ...(values.baseline !== undefined && { baseline: rankerName(values.baseline) }),
    minimums: Object.fromEntries(
      MINIMUMS.flatMap(({ option }) => {
        const text = values[option]
        return text === undefined ? [] : [[option, share(`--${option}`, text)]]
      }),
    ),
    worst: wholeNumber('--worst', values.worst ?? '5', 0, 1_000_000),
    limit: wholeNumber('--limit', values.limit ?? '10', 1, 10),
    json: values.json ?? false,
    help: values.help ?? false,
  }
}

const MINIMUM_OPTIONS = Object.fromEntries(
  MINIMUMS.map(({ option }) => [option, { type: 'string' }]),
) as Record<keyof Minimums, { type: 'string' }>

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: repeatFileOptions(args),
      options: {
        tools: { type: 'string', multiple: true },
        queries: { type: 'string', multiple: true },
        set: { type: 'string' },
        half: { type: 'string' },
        ranker: { type: 'string' },
        baseline: { type: 'string' },
        ...MINIMUM_OPTIONS,
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

function setName(name: string): OwnSetName {
  if (isOwnSet(name)) return name
  throw new InputError(
    `There is no set "${name}". Choose one of ${Object.keys(OWN_SETS).join(', ')}.`,
  )
}

function halfName(name: string): 'a' | 'b' {
  if (name === 'a' || name === 'b') return name
  throw new InputError(`--half must be a or b, not "${name}".`)
}

function share(option: string, text: string): number {
  const value = Number(text)
  if (text.trim() !== '' && value >= 0 && value <= 1) return value
  throw new InputError(`${option} must be a share from 0 to 1, not "${text}".`)
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new InputError(`${option} must be a whole number from ${least} to ${most}, not "${text}".`)
}
