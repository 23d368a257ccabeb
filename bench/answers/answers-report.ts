/** Tokens of all answers of one kind. */
export interface Sizes {
  readonly answers: number
  readonly median: number
  readonly p90: number
  readonly max: number
}

export interface AnswersReport {
  readonly date: string
  readonly servers: number
  readonly tools: number
  readonly requests: number
  /** Tokens of the tool list in every request. */
  readonly list: {
    /** Every definition of every server. */
    readonly everyTool: number
    /** What the gateway lists instead. */
    readonly gateway: number
    /** The part of it that names the servers. */
    readonly directory: number
  }
  /** Answers with complete schemas within 4,000 tokens, which the gateway sent before. */
  readonly schemas: { readonly all: Sizes; readonly fiveTools: Sizes }
  /** Answers as the gateway sends them. */
  readonly parameters: { readonly all: Sizes; readonly fiveTools: Sizes }
  /** Tools in all answers, and how many of them lack their parameters. */
  readonly shownTools: number
  readonly withoutParameters: number
  /** Requests that need one tool, by the number of searches until it was found. */
  readonly lookups: Lookups
  /** Requests with several needs as one query: the needs that a tool was found for. */
  readonly several: { readonly needs: number; readonly met: number }
  /** Three keyword queries of agents in one call, compared with three calls. */
  readonly together: {
    readonly queries: number
    readonly foundAlone: number
    readonly foundTogether: number
    /** Median tokens of three answers. */
    readonly tokensAlone: number
    /** Median tokens of the one answer. */
    readonly tokensTogether: number
  }
  /** Requests that no tool serves: how many got no tool, at most candidates. */
  readonly none: { readonly requests: number; readonly noTool: number }
}

interface Lookups {
  readonly requests: number
  /** A right tool is among the tools or candidates of the first answer. */
  readonly first: number
  /** It is among the candidates, so that the model has to load it. */
  readonly asCandidate: number
}
