import { ToolSearchError } from '../tool-search-error.ts'

/** The `ranker` option returned the same ranker twice, so one conversation's tools could reach others. */
export class SharedRankerError extends ToolSearchError {
  override readonly name = 'SharedRankerError'
  readonly code = 'shared_ranker'

  constructor(rankerName: string) {
    super(
      `The ranker option returned the same "${rankerName}" ranker twice. Tools of one conversation ` +
        'need a ranker of their own: create a new one on each call, such as { ranker: () => fieldedRanker() }.',
    )
  }
}
