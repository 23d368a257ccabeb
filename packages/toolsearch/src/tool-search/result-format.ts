import type { Tool } from '../catalogue/tool.ts'
import {
  type Check,
  callback,
  checkOptions,
  flag,
  name,
  number,
  oneOf,
} from '../options/check-option.ts'
import { cutWords } from './cut-words.ts'
import { firstSentence } from './first-sentence.ts'
import { fitEntries, type ResultDetail } from './fit-entries.ts'
import { jsonAnswer, type ResultContext, type ResultFormat } from './search-answer.ts'
import { isNewHit, type SearchHit, type SearchOutcome } from './search-outcome.ts'
import { skillEntries } from './skill-entries.ts'
import { toolKinds } from './tool-kinds.ts'

export interface ResultFormatOptions {
  /**
   * - `schemas`: the complete definitions
   * - `parameters`: every parameter with its type, limits and a short description as one line, which
   *   is enough to write any call, in about a third of the tokens
   * - `signatures`: names and types of the top-level parameters, if the next request contains the
   *   schemas
   * - `names`
   * @default 'signatures'
   */
  detail?: ResultDetail
  /**
   * Maximum number of tokens for the tools in one result. If the tools need more, the lowest-ranked
   * ones are shortened first, down to their names, and the message says how many. With `parameters`,
   * all descriptions are shortened before any parameter is left out.
   * @default 8_000
   */
  budget?: number
  /**
   * Describe already loaded tools like newly loaded ones. Needed if the search results are the only
   * place where the model sees them.
   * @default false
   */
  again?: boolean
  /**
   * The tool through which the model calls what it found.
   * @default none: the model calls found tools by name
   */
  callWith?: string
  /**
   * The tool that returns complete definitions, for tools whose parameters a result leaves out.
   * @default none
   */
  describeWith?: string
  /**
   * The tool that returns the instructions of skills, if the definitions of these have none.
   * @default none: the search tool returns them for `select:`
   */
  readWith?: string
  /**
   * Returns additional fields for a tool in the result.
   * @default none
   */
  annotate?: (tool: Tool) => Readonly<Record<string, unknown>>
  /**
   * What the result lists if nothing matches: the kinds of tools there are, or the first 20 names.
   * With up to 20 tools, always their names.
   * @default 'kinds'
   */
  overview?: 'kinds' | 'names'
}

const OPTIONS = {
  detail: oneOf<ResultDetail>({ schemas: true, parameters: true, signatures: true, names: true }),
  budget: number(),
  again: flag,
  callWith: name,
  describeWith: name,
  readWith: name,
  annotate: callback,
  overview: oneOf<NonNullable<ResultFormatOptions['overview']>>({ kinds: true, names: true }),
} satisfies Record<keyof ResultFormatOptions, Check>

/** The default result format: JSON with the loaded tools and what to do next. */
export function resultFormat(options: ResultFormatOptions = {}): ResultFormat {
  checkOptions(options, 'options', OPTIONS)
  const { detail = 'signatures', budget = 8_000, again = false, callWith, annotate } = options
  const { overview = 'kinds', describeWith, readWith } = options
  return (outcome, context) => {
    if (outcome.problem) {
      return jsonAnswer(
        { query: echo(outcome.query), error: outcome.problem.message },
        { isError: true },
      )
    }
    const isDescribed = (hit: SearchHit) =>
      isNewHit(hit) || (again && hit.status === 'already-loaded')
    const described = outcome.hits.filter(isDescribed)
    const { entries, shortened } = fitEntries(described, {
      detail,
      budget,
      countTokens: context.countTokens,
      annotate,
      describeWith,
    })
    const skills = skillEntries(outcome, { budget, countTokens: context.countTokens })
    const names = (status: SearchHit['status']) =>
      outcome.hits.filter((hit) => hit.status === status).map((hit) => hit.tool.name)
    const shown = isEmpty(outcome) ? overviewOf(context.visible(), overview) : {}
    return jsonAnswer(
      withoutEmpty({
        query: echo(outcome.query),
        confidence: outcome.candidates.length > 0 ? outcome.confidence : '',
        skills: skills.entries,
        loaded: entries,
        already_loaded: again ? [] : names('already-loaded'),
        always_available: names('always-on'),
        missing: outcome.missing.map(({ name, closest }) => withoutEmpty({ name, closest })),
        omitted: outcome.omitted.names.slice(0, MAX_NAMES),
        close: outcome.closest,
        candidates: outcome.candidates.map((hit) => candidateEntry(hit, annotate)),
        ...shown,
        not_ready: outcome.notReady.map(({ source, state, detail: reason }) =>
          withoutEmpty({ server: source.replace(/^mcp:/, ''), state, detail: reason ?? '' }),
        ),
        message: messageFor(outcome, {
          shortened,
          context,
          callWith,
          describeWith,
          readWith,
          unread: skills.unread,
          hasKinds: 'kinds' in shown,
        }),
      }),
    )
  }
}

const MAX_ECHO = 300

/** Echoing a very long query would waste tokens. */
function echo(query: string): string {
  if (query.length <= MAX_ECHO) return query.toWellFormed()
  return `${query.slice(0, MAX_ECHO - 1).replace(/[\ud800-\udbff]$/, '')}…`.toWellFormed()
}

const MAX_NAMES = 20

function isEmpty({ hits, candidates, missing, omitted, closest }: SearchOutcome): boolean {
  return [hits, candidates, missing, closest].every((list) => list.length === 0) && !omitted.count
}

type Overview = { some_tools: string[] } | { kinds: Readonly<Record<string, number>> }

function overviewOf(tools: readonly Tool[], overview: 'kinds' | 'names'): Overview {
  const kinds = overview === 'kinds' && tools.length > MAX_NAMES ? toolKinds(tools) : {}
  if (Object.keys(kinds).length > 0) return { kinds }
  return { some_tools: tools.slice(0, MAX_NAMES).map(({ name }) => name) }
}

const SUMMARY_LENGTH = 100

function candidateEntry(
  hit: SearchHit,
  annotate: ResultFormatOptions['annotate'],
): Record<string, unknown> {
  const { name, description } = hit.tool
  const summary = cutWords(firstSentence(description), SUMMARY_LENGTH)
  const kind = hit.tool.skill && { kind: 'skill' }
  const available = isAvailable(hit) && { available: true }
  return withoutEmpty({ name, ...kind, summary, ...available, ...annotate?.(hit.tool) })
}

/** Whether the model has the tool already. */
function isAvailable({ status }: SearchHit): boolean {
  return status === 'always-on' || status === 'already-loaded'
}

interface MessageOptions {
  readonly shortened: number
  readonly context: ResultContext
  readonly callWith: string | undefined
  readonly describeWith: string | undefined
  readonly readWith: string | undefined
  /** Skills whose instructions the result does not contain. */
  readonly unread: readonly string[]
  readonly hasKinds: boolean
}

function messageFor(
  outcome: SearchOutcome,
  { shortened, context, callWith, describeWith, readWith, unread, hasKinds }: MessageOptions,
): string {
  const { hits, confidence, candidates, missing, omitted, notReady, repeats } = outcome
  const sentences: string[] = []
  if (repeats > 0) {
    const times = repeats === 1 ? 'once' : `${repeats} times`
    sentences.push(`You already ran this search ${times}, and nothing has changed since.`)
  }
  if (hits.length > 0 && confidence === 'low') sentences.push('No sure match.')
  const skills = hits.filter(isSkill)
  const tools = hits.filter((hit) => !isSkill(hit))
  if (skills.length > 0) sentences.push(skillsMessage(skills, unread, readWith, context))
  if (tools.length > 0) sentences.push(hitsMessage(tools, callWith))
  if (hits.length === 0 && candidates.length > 0) {
    sentences.push(candidatesMessage(outcome, context))
  } else if (hits.length + missing.length === 0) sentences.push(emptyMessage(context, hasKinds))
  if (missing.length > 0) sentences.push(`${plural(missing.length, 'name')} not found.`)
  if (shortened > 0) {
    const where = describeWith === undefined ? '' : `: call ${describeWith} to get them`
    sentences.push(`Details of ${plural(shortened, 'tool')} omitted to save tokens${where}.`)
  }
  if (omitted.count > 0) sentences.push(omittedMessage(outcome))
  if (notReady.length > 0) {
    sentences.push(
      'The servers in not_ready are not connected: tools of theirs may be missing here and become available later.',
    )
  }
  return sentences.join(' ')
}

function hitsMessage(hits: readonly SearchHit[], callWith: string | undefined): string {
  const fresh = hits.filter(isNewHit)
  if (fresh.length === 0) {
    const how = callWith !== undefined && !hits.some(isListed) ? `with ${callWith}` : 'directly'
    return hits.length === 1
      ? `You already have this tool. Call it ${how}.`
      : `You already have these tools. Call them ${how}.`
  }
  // a session that loads nothing says `found`
  const { status } = fresh[0]!
  const them = fresh.length === 1 ? 'it' : 'them'
  const how = callWith === undefined ? '' : ` with ${callWith}`
  return `${plural(fresh.length, 'tool')} ${status}. You can call ${them} now${how}.`
}

function isSkill({ status }: SearchHit): boolean {
  return status === 'skill'
}

function skillsMessage(
  skills: readonly SearchHit[],
  unread: readonly string[],
  readWith: string | undefined,
  { searchToolName }: ResultContext,
): string {
  const found = `${plural(skills.length, 'skill')} found: instructions for a task, not tools.`
  const [name] = unread
  if (name === undefined) return found
  // They would be missing from the answer to "select:" as well.
  const isEmpty = ({ tool }: SearchHit) => tool.skill?.instructions === ''
  if (readWith === undefined && skills.some(isEmpty)) {
    const empty = skills.filter(isEmpty).map(({ tool }) => `"${tool.name}"`)
    return `${found} ${empty.join(', ')} ${empty.length === 1 ? 'has' : 'have'} no instructions.`
  }
  const how = readWith ?? `${searchToolName} and "select:${name}"`
  return `${found} Read ${unread.length === 1 ? 'it' : 'the one that fits'} with ${how} first.`
}

function isListed({ status }: SearchHit): boolean {
  return status === 'always-on'
}

function candidatesMessage(
  { candidates, suggestion }: SearchOutcome,
  { searchToolName }: ResultContext,
): string {
  const hidden = candidates.filter((hit) => !isAvailable(hit)).map(({ tool }) => tool.name)
  const state = hidden.length === candidates.length ? ', and none of them is loaded' : ''
  const load = `To use one, call ${searchToolName} with "select:${hidden[0]}" first. `
  const example = suggestion === undefined ? '' : `, for example "${suggestion}"`
  return (
    `No sure match. The candidates are only the nearest tools${state}. ` +
    `${hidden.length > 0 ? load : ''}If none fits, ${ASK_AGAIN}${example}.`
  )
}

const ASK_AGAIN = 'search again with a few other words, in the language of the tools'

function emptyMessage(
  { visible, hasSkills, searchToolName }: ResultContext,
  hasKinds: boolean,
): string {
  if (visible().length === 0 && hasSkills()) {
    return `No matching skills, and there are no tools. Try ${searchToolName} again with different words.`
  }
  if (visible().length === 0) return 'No tools are available, so there is nothing to find.'
  return hasKinds
    ? `No matching tools. kinds says what tools there are, and how many. To find one, ${ASK_AGAIN}.`
    : `No matching tools. Try ${searchToolName} again with different words.`
}

function omittedMessage({ form, omitted: { count } }: SearchOutcome): string {
  if (form === 'select') {
    const names = plural(count, 'name')
    return `${names} ignored: too many names in one select. Search for the rest separately.`
  }
  if (form === 'prefix') {
    const match = count === 1 ? 'tool matches' : 'tools match'
    return `${count} more ${match}. Use a longer prefix or ask for more results.`
  }
  if (form === 'browse') return `${plural(count, 'more tool')} not listed. Describe what you need.`
  const tools = plural(count, 'named tool')
  return `${tools} left out because of the limit or a required word. Search for the rest separately.`
}

function plural(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`
}

function withoutEmpty(data: Record<string, unknown>): Record<string, unknown> {
  const isBlank = (value: unknown) =>
    value === '' || value === 0 || (Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(data).filter(([, value]) => !isBlank(value)))
}
