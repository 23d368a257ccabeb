import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { InputError } from './input-error.ts'
import { RANKERS } from './rankers.ts'

export interface EvalOptions {
  readonly tools: readonly string[]
  readonly queries: readonly string[]
  readonly ranker: string
  readonly baseline?: string
  readonly minRecall?: number
  readonly minAbstention?: number
  readonly worst: number
  readonly limit: number
  readonly json: boolean
  readonly help: boolean
}

const OWN_SET = ['part-1', 'part-2'].map((part) => resolve(import.meta.dirname, 'own-set', part))

export const HELP: string = `How well a search finds the right tools for a set of queries.

  npm run eval -- [--tools F... --queries F...] [--ranker NAME] [--baseline NAME] [options]

  --tools F...        files with one tool in each line: {"name","description","parameters","server"}
  --queries F...      files with one query in each line: {"query","relevant":[names],"groups","kind"}
                      (default: our own set, eval/own-set)
  --ranker NAME       ${Object.keys(RANKERS).join(', ')} (default: unified)
  --baseline NAME     another of these: adds the difference in R@5 and its 95 % interval
  --min-recall S      exit code 1 when R@5 is below this share, 0 to 1
  --min-abstention S  the same for queries that nothing serves: the share answered with nothing
  --worst N           how many of the worst queries to show (default: 5)
  --limit K           how many tools a search may give, 1 to 10 (default: 10)
  --json              the figures only, as JSON
  --help              this text

Examples

  npm run eval
  npm run eval -- --ranker fielded --baseline bm25 --worst 20
  npm run eval -- --tools tools.jsonl --queries queries.jsonl --min-recall 0.8
  npm run eval -- --tools a/tools.jsonl b/tools.jsonl --queries a/queries.jsonl --json

Exit codes: 0 good, 1 below a minimum, 2 bad usage or input.`

/** @throws InputError on anything it does not understand; files are taken from `folder` */
export function readOptions(args: readonly string[], folder: string): EvalOptions {
  const values = parse(args)
  const files = { tools: values.tools ?? [], queries: values.queries ?? [] }
  if ((files.tools.length === 0) !== (files.queries.length === 0)) {
    throw new InputError('Give both --tools and --queries, or neither for our own set.')
  }
  const isOwn = files.tools.length === 0
  return {
    tools: isOwn ? own('tools.jsonl') : files.tools.map((file) => resolve(folder, file)),
    queries: isOwn ? own('queries.jsonl') : files.queries.map((file) => resolve(folder, file)),
    ranker: rankerName(values.ranker ?? 'unified'),
    ...(values.baseline !== undefined && { baseline: rankerName(values.baseline) }),
    ...share('minRecall', '--min-recall', values['min-recall']),
    ...share('minAbstention', '--min-abstention', values['min-abstention']),
    worst: whole('--worst', values.worst ?? '5', 0, 1_000_000),
    limit: whole('--limit', values.limit ?? '10', 1, 10),
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
        'min-abstention': { type: 'string' },
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

/** A shell turns `--tools *.jsonl` into one option and several files: each gets its own option. */
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

function own(file: string): string[] {
  return OWN_SET.map((part) => resolve(part, file))
}

function rankerName(name: string): string {
  if (Object.hasOwn(RANKERS, name)) return name
  throw new InputError(
    `No ranker is called "${name}". Use one of ${Object.keys(RANKERS).join(', ')}.`,
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
    throw new InputError(`${option} must be a share from 0 to 1, got "${text}".`)
  }
  return { [key]: value } as { [K in Key]?: number }
}

function whole(option: string, text: string, least: number, most: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= least && value <= most) return value
  throw new InputError(`${option} must be a whole number from ${least} to ${most}, got "${text}".`)
}
