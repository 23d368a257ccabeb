import type { Selection } from '../tool-search/search-behaviour.ts'

/** Whatever matches is a hit, and no search is sure or doubtful. */
export const EVERY_MATCH: Pick<Selection, 'band' | 'confidence'> = {
  band: 0,
  confidence: { sure: 1, doubtful: 0 },
}
