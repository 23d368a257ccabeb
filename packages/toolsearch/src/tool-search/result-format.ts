import type { Tool } from '../catalogue/tool.ts'
import { compactSignature } from './compact-signature.ts'
import { type Answer, jsonAnswer, type ResultContext, type ResultFormat } from './search-answer.ts'
import type { SearchHit, SearchOutcome } from './search-outcome.ts'

/** How much a result says of each tool it loads. */
export type ResultDetail = 'schemas' | 'signatures' | 'names'

export interface ResultFormatOptions {
  /**
   * `signatures` is enough where the next request carries the schemas.
   * @default 'signatures'
   */
  detail?: ResultDetail
  /**
   * Tokens the tools of one result may take. Past it the last ones are told in fewer words, down to
   * their names, and the message says how many.
   * @default 8_000
   */
  budget?: number
  /**
   * Tells tools that were loaded before as fully as new ones, for where the result is the only
   * place that tells them.
   * @default false
   */
  again?: boolean
  /**
   * Returns fields to add to each tool of the result, such as what the caller knows about it.
   * @default none
   */
  annotate?: (tool: Tool) => Readonly<Record<string, unknown>>
}

/** Our own result: JSON with what is loaded, what was there already, and what to do next. */
export function resultFormat({
  detail = 'signatures',
  budget = 8_000,
  again = false,
  annotate,
}: ResultFormatOptions = {}): ResultFormat {
  return (outcome, context) => {
    if (outcome.problem) {
      return jsonAnswer(
        { query: echo(outcome.query), error: outcome.problem.message },
        { isError: true },
      )
    }
    const isTold = (hit: SearchHit) => isFresh(hit) || (again && hit.status === 'already-loaded')
    const fresh = outcome.hits.filter(isTold)
    const { entries, shortened } = fitToBudget(fresh, detail, budget, context, annotate)
    const names = (status: SearchHit['status']) =>
      outcome.hits.filter((hit) => hit.status === status).map((hit) => hit.tool.name)
    return jsonAnswer(
      withoutEmpty({
        query: echo(outcome.query),
        loaded: entries,
        already_loaded: again ? [] : names('already-loaded'),
        always_available: names('always-on'),
        missing: outcome.missing.map(({ name, closest }) => withoutEmpty({ name, closest })),
        close: outcome.closest,
        some_tools: isFruitless(outcome) ? context.visible().slice(0, MAX_NAMES).map(nameOf) : [],
        not_ready: outcome.notReady.map(({ source, state, detail: reason }) =>
          withoutEmpty({ server: source.replace(/^mcp:/, ''), state, detail: reason ?? '' }),
        ),
        message: messageFor(outcome, shortened, context.searchToolName),
      }),
    )
  }
}

const MAX_ECHO = 300

/** A query of a page need not be read twice. */
function echo(query: string): string {
  return query.slice(0, MAX_ECHO).toWellFormed()
}

function isFresh({ status }: SearchHit): boolean {
  return status === 'loaded' || status === 'found'
}

const MAX_NAMES = 20

function isFruitless({ hits, missing, closest }: SearchOutcome): boolean {
  return hits.length + missing.length + closest.length === 0
}

function nameOf({ name }: Tool): string {
  return name
}

type Entry = string | Record<string, unknown>

const DETAILS: readonly ResultDetail[] = ['schemas', 'signatures', 'names']

function entryFor(
  { tool }: SearchHit,
  detail: ResultDetail,
  annotate: ResultFormatOptions['annotate'],
): Entry {
  const { name, description, inputSchema } = tool
  if (detail === 'names') return annotate ? { name, ...annotate(tool) } : name
  const notes = annotate?.(tool)
  if (detail === 'schemas') return { name, description, inputSchema, ...notes }
  return { name, description, arguments: compactSignature(inputSchema), ...notes }
}

function fitToBudget(
  hits: readonly SearchHit[],
  detail: ResultDetail,
  budget: number,
  { countTokens }: ResultContext,
  annotate: ResultFormatOptions['annotate'],
): { entries: Entry[]; shortened: number } {
  const forms = hits.map((hit) =>
    DETAILS.slice(DETAILS.indexOf(detail)).map((level) => {
      const entry = entryFor(hit, level, annotate)
      return { entry, tokens: countTokens(JSON.stringify(entry)) }
    }),
  )
  const full = forms[0]?.length
  const total = () => forms.reduce((sum, [form]) => sum + form!.tokens, 0)
  // the best hits come first, so the last ones give way first
  while (total() > budget) {
    const giving = forms.findLast((levels) => levels.length > 1)
    if (giving === undefined) break
    giving.shift()
  }
  return {
    entries: forms.map(([form]) => form!.entry),
    shortened: forms.filter((levels) => levels.length < full!).length,
  }
}

function messageFor(outcome: SearchOutcome, shortened: number, searchToolName: string): string {
  const { hits, missing, capped, notReady, repeats } = outcome
  const fresh = hits.filter(isFresh).length
  const sentences: string[] = []
  if (repeats > 0) {
    const times = repeats === 1 ? 'once' : `${repeats} times`
    sentences.push(`You have made this search ${times} before and nothing has changed since.`)
  }
  if (fresh > 0) sentences.push(`${plural(fresh, 'tool')} loaded: call what you need.`)
  else if (hits.length > 0) sentences.push('You have these tools already: call them.')
  else if (missing.length === 0) {
    sentences.push(`No tool fits. Try ${searchToolName} with other words for the same thing.`)
  }
  if (missing.length > 0) sentences.push(`${plural(missing.length, 'name')} not found.`)
  if (shortened > 0) {
    sentences.push(`Less is shown of ${plural(shortened, 'tool')} to save room.`)
  }
  if (capped > 0) sentences.push(`${plural(capped, 'name')} over the limit of one select ignored.`)
  if (notReady.length > 0) {
    sentences.push(
      'The servers under not_ready could not be searched: their tools may appear later.',
    )
  }
  return sentences.join(' ')
}

function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

function withoutEmpty(data: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(data).filter(([, value]) => !isEmpty(value)))
}

/** Anthropic's form: references that the service expands, or a sentence when there are none. */
export const referenceFormat: ResultFormat = (outcome, context): Answer => {
  // a reference to a tool that is not deferred makes the service refuse the whole request
  const deferred = outcome.hits.filter(({ status }) => status !== 'always-on')
  if (outcome.problem || deferred.length === 0) return resultFormat()(outcome, context)
  const data = deferred.map(({ tool }) => ({ type: 'tool_reference', tool_name: tool.name }))
  return jsonAnswer(data)
}
