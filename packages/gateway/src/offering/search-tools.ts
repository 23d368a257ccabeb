import {
  type Answer,
  type ResultContext,
  type ResultFormat,
  resultFormat,
  type SearchOutcome,
  type Session,
  type SessionSearchOptions,
  type Tool,
} from 'toolsearch'
import type { JsonObject } from '../protocol/json-object.ts'
import { timeSlices } from '../system/time-slices.ts'
import type { FoundTools } from './gateway-view.ts'
import { mergeSearches } from './merge-searches.ts'
import { DESCRIBE } from './meta-tools/describe-tools.ts'

export const SEARCH = 'tool_search'
/** How many searches one call can contain. */
export const MAX_QUERIES = 8

/** The answer to a call of `tool_search`. */
export interface SearchedTools {
  /** With several queries: their results as one. */
  readonly outcome: SearchOutcome
  readonly answer: Answer
  /** What each query found. */
  readonly searches: readonly FoundTools[]
}

export interface SearchToolsOptions extends Omit<SessionSearchOptions, 'result'> {
  /** Returns what the answer says about a tool besides its definition. */
  readonly annotate: (tool: Tool) => JsonObject
  /** Changes what a search reports besides tools, before it is described. */
  readonly adjust: (outcome: SearchOutcome) => SearchOutcome
}

/** Most answers need less: half of those with five tools have at most 720 tokens. */
const ANSWER_TOKENS = 900
const TOKENS_PER_QUERY = 150
const DEFAULT_LIMIT = 5
const MAX_LIMIT = 25

/** Answers `tool_search`: one query, or several that share the places. */
export async function searchTools(
  session: Session,
  args: JsonObject,
  { annotate, adjust, ...options }: SearchToolsOptions,
): Promise<SearchedTools> {
  const { queries, ignored } = readQueries(args)
  if (queries.length < 2) {
    const given = queries.length === 0 ? args : { ...args, query: queries[0] }
    const describe = format(annotate, ANSWER_TOKENS)
    const result: ResultFormat = (found, context) => describe(adjust(found), context)
    const { outcome, answer } = await session.search(given, { ...options, result })
    return { outcome: adjust(outcome), answer, searches: [foundIn(outcome)] }
  }
  const outcomes: SearchOutcome[] = []
  let context: ResultContext | undefined
  const limit = readLimit(args.max_results) ?? Math.max(DEFAULT_LIMIT, 2 * queries.length)
  const slices = timeSlices()
  for (const query of queries) {
    await slices.next()
    const result: ResultFormat = (_, given) => {
      context = given
      return { text: '', data: {}, isError: false }
    }
    const { outcome } = await session.search({ query }, { ...options, limit, result })
    outcomes.push(adjust(outcome))
  }
  const { outcome, answer } = answerSeveral(outcomes, {
    annotate,
    limit,
    ignored,
    context: context!,
  })
  return { outcome, answer, searches: outcomes.map(foundIn) }
}

function answerSeveral(
  outcomes: readonly SearchOutcome[],
  options: Pick<SearchToolsOptions, 'annotate'> & {
    readonly limit: number
    readonly ignored: number
    readonly context: ResultContext
  },
): Pick<SearchedTools, 'outcome' | 'answer'> {
  const { annotate, limit, ignored, context } = options
  const { outcome, foundBy, doubtful, empty } = mergeSearches(outcomes, limit)
  const noted = (tool: Tool) => ({ ...annotate(tool), queries: foundBy.get(tool.name) })
  const budget = ANSWER_TOKENS + TOKENS_PER_QUERY * (outcomes.length - 1)
  const { data, isError } = format(noted, budget)(outcome, context)
  const { query: _, confidence, message, ...rest } = data as JsonObject
  const hasHits = outcome.hits.length > 0
  const [candidate] = outcome.candidates
  const sentences = [
    message,
    hasHits &&
      candidate &&
      `No sure match for ${numbered(doubtful)}: the candidates are only the nearest tools. ` +
        `To use one, call ${SEARCH} with "select:${candidate.tool.name}" first.`,
    (hasHits || candidate) && empty.length > 0 && `Nothing found for ${numbered(empty)}.`,
    ignored > 0 && `The last ${ignored} ignored: at most ${MAX_QUERIES} queries in one search.`,
  ]
  const described = {
    ...(!hasHits && confidence !== undefined && { confidence }),
    ...rest,
    message: sentences.filter(Boolean).join(' '),
  }
  return { outcome, answer: { data: described, text: JSON.stringify(described), isError } }
}

function format(annotate: SearchToolsOptions['annotate'], budget: number): ResultFormat {
  return resultFormat({
    detail: 'parameters',
    budget,
    describeWith: DESCRIBE,
    readWith: DESCRIBE,
    annotate,
  })
}

/**
 * The first different queries of a call, and how many more entries there are. Some models send a single text as
 * `queries`, or both arguments.
 */
export function readQueries({ query, queries }: JsonObject): {
  readonly queries: readonly string[]
  readonly ignored: number
} {
  if (queries === undefined || queries === null) return { queries: [], ignored: 0 }
  const all = [query, queries].flat()
  const found = new Set<string>()
  let read = 0
  for (; read < all.length && found.size < MAX_QUERIES; read++) {
    const each: unknown = all[read]
    if (typeof each === 'string' && each.trim() !== '') found.add(each)
  }
  return { queries: [...found], ignored: all.length - read }
}

function readLimit(given: unknown): number | undefined {
  const limit = typeof given === 'string' ? Number(given) : given
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 1) return undefined
  return Math.min(limit, MAX_LIMIT)
}

function foundIn({ query, hits, candidates }: SearchOutcome): FoundTools {
  return {
    query,
    hits: hits.map(({ tool }) => tool.name),
    candidates: candidates.map(({ tool }) => tool.name),
  }
}

/** `query 2`, `queries 2 and 3` */
function numbered(numbers: readonly number[]): string {
  if (numbers.length === 1) return `query ${numbers[0]}`
  return `queries ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`
}
