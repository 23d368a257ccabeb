import {
  estimateTokens,
  type SearchHit,
  type SearchOutcome,
  type ToolExplanation,
  type ToolSearch,
} from 'toolsearch'
import { LOCAL_PERSON } from '../identity/person.ts'
import type { Gateway } from '../offering/gateway.ts'
import type { ReportedHit, SearchReport } from './api.ts'
import type { InspectionTarget } from './inspection-target.ts'
import { serverOf, summaryOf } from './tool-summary.ts'

export interface SearchReportRequest {
  readonly query: string
  /** @default the limit an agent gets if it does not ask for one */
  readonly limit?: number | undefined
  readonly ranker: string
  readonly toolSearch: ToolSearch
  /** Whether to explain the scores and the near misses. @default true */
  readonly isExplained?: boolean
  /** @default performance.now */
  readonly now?: () => number
}

/** An explained search: the report for people, and the library's outcome for programs. */
export interface ReportedSearch {
  readonly report: SearchReport
  readonly outcome: SearchOutcome
}

// A session remembers its searches. Concurrent reports use different sessions, to stay independent.
const SESSIONS = 64
let latest = 0

/**
 * Runs a search exactly as an agent of the person at this machine would, and explains the result. The
 * page and the CLI both use it.
 * The search leaves no trace: neither in the recorded activity nor in what agents get later.
 */
export async function searchReport(
  gateway: Pick<Gateway, 'searchIn'>,
  request: SearchReportRequest,
): Promise<ReportedSearch> {
  const { query, limit, ranker, toolSearch, isExplained = true } = request
  const { now = () => performance.now() } = request
  const session = await toolSearch.session(`inspector-${latest++ % SESSIONS}`)
  await session.compacted()
  const start = now()
  const { outcome, result } = await gateway.searchIn(
    session,
    { query },
    {
      person: LOCAL_PERSON.id,
      ...(isExplained && { explain: true, nearMisses: 5 }),
      ...(limit !== undefined && { limit }),
    },
  )
  const milliseconds = now() - start
  const [block] = result.content ?? []
  const text = String(block?.text ?? '')
  const report: SearchReport = {
    query,
    ranker,
    form: outcome.form,
    milliseconds,
    hits: outcome.hits.map(reportHit),
    confidence: outcome.confidence,
    candidates: outcome.candidates.map(reportHit),
    ...(outcome.suggestion !== undefined && { suggestion: outcome.suggestion }),
    rules: outcome.rules ?? [],
    nearMisses: outcome.nearMisses ?? [],
    closest: outcome.closest,
    notReady: outcome.notReady.map(({ source, detail }) => ({
      server: serverOf({ source }),
      ...(detail !== undefined && { detail }),
    })),
    answer: { text, tokens: estimateTokens(text) },
  }
  return { report, outcome }
}

function reportHit({ tool, score, skill, parts = [] }: SearchHit): ReportedHit {
  return {
    name: tool.name,
    server: serverOf(tool),
    summary: summaryOf(tool),
    ...(tool.skill && { isSkill: true }),
    ...(skill !== undefined && { withSkill: skill }),
    ...(score !== undefined && { score }),
    parts,
  }
}

export interface ToolExplanationRequest
  extends Omit<SearchReportRequest, 'ranker' | 'now' | 'isExplained'> {
  readonly tool: string
}

/** Explains why a search returns a tool or doesn't, including a tool that is withheld from agents. */
export function toolExplanation(
  { gateway }: Pick<InspectionTarget, 'gateway'>,
  { query, tool, limit, toolSearch }: ToolExplanationRequest,
): ToolExplanation {
  const waiting = gateway.waitingTools().find(({ name }) => name === tool)
  if (waiting && !gateway.toolSearch.catalogue.has(tool)) {
    const reasons = {
      new: 'is new and has not been approved',
      changed: 'changed since it was approved',
      blocked: 'is blocked',
    }
    const text =
      `${tool} ${reasons[waiting.kind]}, so searches don't return it. ` +
      `Review it, then run toolsearch accept ${tool}.`
    return { tool, verdict: 'concealed', parts: [], text }
  }
  const person = LOCAL_PERSON.id
  return toolSearch.explain(query, tool, { person, ...(limit !== undefined && { limit }) })
}
