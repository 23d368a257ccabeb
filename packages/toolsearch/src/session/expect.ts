import type { Tool } from '../catalogue/tool.ts'
import { addLoaded, type SessionRecord } from '../stores/session-record.ts'
import type { LoadingMode } from '../stores/stored-session.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { toolTokens } from '../tokens/tool-tokens.ts'
import { fitEntries } from '../tool-search/fit-entries.ts'
import type { Answer } from '../tool-search/search-answer.ts'
import { isNewHit, type SearchHit, type SearchOutcome } from '../tool-search/search-outcome.ts'
import { writeExpectedNotice } from '../transcript/expected-notice.ts'
import { expectedAs, REVEALS } from '../transcript/reveal.ts'
import { toLoaded } from './rebuild-record.ts'
import { isHidden, type ToolDivision } from './tool-division.ts'
import type { AppendOnly } from './turn.ts'

/** How many tools `expect` adds at most, and how large they may be. */
export interface ExpectLimits {
  /**
   * A sure search has a tool that fits among its first hits, but most requests need one tool: each
   * further one costs its definition for the rest of the conversation and fits less often.
   */
  readonly tools: number
  /**
   * The share of the best score from which on a further tool is added. If the user names a tool, only
   * named ones are.
   */
  readonly close: number
  /**
   * Tokens of a description. Nearly all tools fit if the descriptions of their parameters are
   * shortened; those that don't would cost more than they save.
   */
  readonly description: number
  /** Tokens of all definitions, which cannot be shortened: about what a search and its answer cost. */
  readonly definitions: number
}

/** Chosen with `npm run bench -- expect`. */
export const EXPECT_LIMITS: ExpectLimits = {
  tools: 2,
  close: 0.85,
  description: 200,
  definitions: 600,
}

/** The tools that are loaded because they fit the words of the user. */
export interface ExpectedTools {
  readonly outcome: SearchOutcome
  readonly tools: readonly Tool[]
  /** What to append to the conversation. Empty if the definitions of the tools say it all. */
  readonly notice: string
  readonly answer: Answer
}

export interface ChooseExpectedOptions {
  readonly division: Pick<ToolDivision, 'deferral' | 'get'>
  /** With `active` as in the planned turn. */
  readonly record: SessionRecord
  readonly appendOnly: Pick<AppendOnly, 'reveal'> | undefined
  readonly countTokens: CountTokens
}

/**
 * Chooses the sure hits that the model does not have yet, as far as the limits allow. Undefined if
 * there are none: then nothing is added to the request.
 */
export function chooseExpected(
  outcome: SearchOutcome,
  { division, record, appendOnly, countTokens }: ChooseExpectedOptions,
  limits: ExpectLimits = EXPECT_LIMITS,
): ExpectedTools | undefined {
  if (outcome.confidence !== 'high') return undefined
  const { expectedAs: form, callWith } = REVEALS[appendOnly?.reveal ?? 'list']
  const isDescribed = form === 'described'
  const described = new Set(record.described)
  const chosen: SearchHit[] = []
  const entries: unknown[] = []
  let budget = limits.definitions
  // a named tool has no score
  const best = outcome.hits[0]?.score ?? Number.POSITIVE_INFINITY
  for (const hit of outcome.hits) {
    if (chosen.length === limits.tools) break
    const { tool, score = Number.POSITIVE_INFINITY } = hit
    if (score < limits.close * best) break
    if (!isNewHit(hit) || hit.skill !== undefined) continue
    // a session that loads nothing can only describe a tool, and only once
    if (hit.status === 'found' && (!isDescribed || described.has(tool.name))) continue
    if (hit.status === 'found' ? !division.get(tool.name) : !isHidden(tool, division, record)) {
      continue
    }
    const { entries: written, shortened } = fitEntries([hit], {
      detail: 'parameters',
      budget: limits.description,
      countTokens,
      annotate: undefined,
      describeWith: undefined,
    })
    // a tool without its parameters could not be called
    if (isDescribed && shortened > 0) continue
    const tokens = isDescribed ? 0 : toolTokens(tool, countTokens)
    if (tokens > budget) continue
    budget -= tokens
    chosen.push(hit)
    entries.push(written[0])
  }
  if (chosen.length === 0) return undefined
  const notice = isDescribed ? writeExpectedNotice(entries, callWith) : ''
  return {
    outcome: { ...outcome, hits: chosen },
    tools: chosen.map(({ tool }) => tool),
    notice,
    answer: { text: notice, data: { loaded: entries }, isError: false },
  }
}

/** Whether `expect` can add a tool to a request without changing what earlier requests had. */
export function mayExpect(
  { active, sent, seen }: SessionRecord,
  appendOnly: Pick<AppendOnly, 'reveal'> | undefined,
): boolean {
  if (appendOnly === undefined || expectedAs(appendOnly) !== 'listed') return true
  // the tools can only be listed, which changes nothing in the first request
  return !active && sent.length === 0 && seen === undefined
}

/** The record of a conversation whose next request has these tools. */
export function addExpected(
  record: SessionRecord,
  { tools, notice }: Pick<ExpectedTools, 'tools' | 'notice'>,
  loading: LoadingMode,
): SessionRecord {
  const next = loading === 'none' ? record : addLoaded(record, tools.map(toLoaded)).record
  if (notice === '') return next
  const names = tools.map(({ name }) => name)
  return { ...next, described: [...new Set([...(next.described ?? []), ...names])] }
}

/** The tools that the messages have, or will have after this turn. The list leaves them out. */
export function toolsInMessages(
  appendOnly: AppendOnly,
  { described = [] }: SessionRecord,
  expected: Pick<ExpectedTools, 'tools'> | undefined,
  forced: string | undefined,
): NonNullable<AppendOnly['revealed']> {
  const { revealed, places } = appendOnly
  const form = expectedAs(appendOnly)
  if (revealed === 'loaded' || form === 'listed') return revealed ?? new Set()
  // a caller who reads the messages knows which notices are left, unless the session keeps them
  const isKnown = form === 'described' && (revealed === undefined || places !== undefined)
  const added = expected?.tools.map(({ name }) => name) ?? []
  const kept = isKnown ? described.filter((name) => name !== forced) : []
  return new Set([...(revealed ?? []), ...kept, ...added])
}
