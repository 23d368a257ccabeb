import type { Tool } from '../catalogue/tool.ts'
import type { SessionRecord } from '../stores/session-record.ts'
import type { CountTokens } from '../tokens/estimate-tokens.ts'
import { toolTokens } from '../tokens/tool-tokens.ts'
import { fitEntries } from '../tool-search/fit-entries.ts'
import type { Answer } from '../tool-search/search-answer.ts'
import { isNewHit, type SearchHit, type SearchOutcome } from '../tool-search/search-outcome.ts'
import { writeExpectedNotice } from './expected-notice.ts'
import { isUnseen, type ToolDivision } from './tool-division.ts'
import type { AppendOnly } from './turn.ts'

/**
 * A sure search has a tool that fits among its first hits, but most requests need one tool: each
 * further one costs its definition for the rest of the conversation and fits less often.
 */
export const MAX_EXPECTED = 3

/**
 * A further tool must score at least this share of the best one. Of what scores less, few tools fit
 * (`npm run bench:expect`). If the user names a tool, only named ones are added.
 */
const CLOSE = 0.75

/** About what one search and its answer cost, which is what a right guess saves. */
const BUDGET = 600

/** The tools that are loaded because they fit the words of the user. */
export interface ExpectedTools {
  readonly outcome: SearchOutcome
  readonly tools: readonly Tool[]
  /** What to append to the conversation. Empty if the definitions of the tools say it all. */
  readonly notice: string
  readonly answer: Answer
}

export interface ChooseExpectedOptions {
  readonly division: ToolDivision
  /** With `active` as in the planned turn. */
  readonly record: SessionRecord
  readonly appendOnly: Pick<AppendOnly, 'expected' | 'callWith'> | undefined
  readonly countTokens: CountTokens
}

/**
 * Chooses the sure hits that the model does not have yet, as far as the budget allows. Undefined if
 * there are none: then nothing is added to the request.
 */
export function chooseExpected(
  outcome: SearchOutcome,
  { division, record, appendOnly, countTokens }: ChooseExpectedOptions,
): ExpectedTools | undefined {
  if (outcome.confidence !== 'high') return undefined
  const isDescribed = appendOnly?.expected === 'described'
  const described = new Set(record.described)
  const chosen: SearchHit[] = []
  const entries: unknown[] = []
  let budget = BUDGET
  // a named tool has no score
  const best = outcome.hits[0]?.score ?? Number.POSITIVE_INFINITY
  for (const hit of outcome.hits) {
    if (chosen.length === MAX_EXPECTED) break
    const { tool, score = Number.POSITIVE_INFINITY } = hit
    if (score < CLOSE * best) break
    if (!isNewHit(hit) || hit.skill !== undefined) continue
    // a session that loads nothing can only describe a tool, and only once
    if (hit.status === 'found' && (!isDescribed || described.has(tool.name))) continue
    if (hit.status === 'found' ? !division.get(tool.name) : !isUnseen(tool, division, record)) {
      continue
    }
    const { entries: written, shortened } = fitEntries([hit], {
      detail: 'parameters',
      budget,
      countTokens,
      annotate: undefined,
      describeWith: undefined,
    })
    const tokens = isDescribed
      ? countTokens(JSON.stringify(written[0]))
      : toolTokens(tool, countTokens)
    // a tool without its parameters could not be called
    if (tokens > budget || (isDescribed && shortened > 0)) continue
    budget -= tokens
    chosen.push(hit)
    entries.push(written[0])
  }
  if (chosen.length === 0) return undefined
  const notice = isDescribed ? writeExpectedNotice(entries, appendOnly?.callWith) : ''
  return {
    outcome: { ...outcome, hits: chosen },
    tools: chosen.map(({ tool }) => tool),
    notice,
    answer: { text: notice, data: { loaded: entries }, isError: false },
  }
}
