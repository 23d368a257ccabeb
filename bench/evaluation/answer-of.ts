import type { Confidence, FoundTools } from 'toolsearch/evaluation'

/** The fields of a `SearchOutcome` that count. */
interface Outcome {
  readonly hits: readonly Found[]
  /** The best matches of a doubtful search, which the model sees but which are not loaded. */
  readonly candidates?: readonly Found[]
  readonly confidence?: Confidence
}

interface Found {
  readonly tool: { readonly name: string }
}

/** What a model gets from a search: the hits, then the candidates, and how sure the search is. */
export function answerOf({ hits, candidates = [], confidence }: Outcome): FoundTools {
  return {
    names: [...hits, ...candidates].map(({ tool }) => tool.name),
    ...(confidence !== undefined && { confidence }),
  }
}
