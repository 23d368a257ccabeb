import { ToolSearchError } from '../tool-search-error.ts'

/** The bytes are not a lexicon that this version can read. */
export class LexiconError extends ToolSearchError {
  override readonly name = 'LexiconError'
  readonly code = 'bad_lexicon'

  constructor(reason: string) {
    super(`Cannot read the lexicon: ${reason} Install toolsearch-semantics again.`)
  }
}
