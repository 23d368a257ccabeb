import type { ToolExplanation } from '../../api/contract.ts'

/** What happened to a tool in a search. */
export const verdictLabels: Record<ToolExplanation['verdict'], string> = {
  returned: 'returned',
  unknown: 'no such tool',
  concealed: 'withheld',
  'lacks-required': 'missing a required word',
  'no-match': 'no match',
  'below-limit': 'below the limit',
  'below-band': 'score too low',
  doubtful: 'candidate, not loaded',
  'not-searched': 'not searched',
}
