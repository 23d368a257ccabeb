import { estimateTokens } from '../tokens/estimate-tokens.ts'
import type { ResultContext } from './search-answer.ts'
import type { SearchOutcome } from './search-outcome.ts'

export const context: ResultContext = {
  visible: () => [],
  hasSkills: () => false,
  searchToolName: 'tool_search',
  countTokens: estimateTokens,
}

/** A search without hits. Its confidence is that of the hits that most tests add. */
export const noHits: SearchOutcome = {
  query: 'git',
  form: 'words',
  hits: [],
  confidence: 'medium',
  candidates: [],
  missing: [],
  omitted: { count: 0, names: [] },
  closest: [],
  notReady: [],
  deferrable: 10,
  remaining: 10,
  repeats: 0,
}
