import type { ToolExplanation } from '../../api/contract.ts'

/** What became of a tool in a search, in few words. */
export const verdictWords: Record<ToolExplanation['verdict'], string> = {
  returned: 'given',
  unknown: 'no such tool',
  concealed: 'withheld',
  'lacks-required': 'lacks a required word',
  'no-match': 'no word fits',
  'below-limit': 'after the limit',
  'below-band': 'too far behind the best',
  doubtful: 'too weak a match',
  'not-searched': 'not searched',
}
