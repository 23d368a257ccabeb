/** What `expect` adds to the requests of one set. Shares from 0 to 100. */
export interface ExpectedSet {
  readonly set: string
  readonly ranker: string
  readonly tools: number
  /** Requests with a tool that fits. */
  readonly requests: number
  /** Of these, requests to which a tool was added, and to which a right one was added. */
  readonly announced: number
  readonly right: number
  /** Of the added tools, those that fit. */
  readonly precision: number
  /** Tokens added per request, also to those without an added tool. */
  readonly tokens: number
  /** Requests for which no tool fits, how many got one, and the tokens added per request. */
  readonly unserved: number
  readonly falselyAnnounced: number
  readonly unservedTokens: number
  /** Bytes before the added text that differ from the request without it. */
  readonly changedBytes: number
}

/** Conversations of several user turns in one mode. */
export interface ExpectedTurns {
  readonly set: string
  readonly way: string
  readonly turns: number
  /** Turns to which a tool was added, and turns in which a right one is there. Shares from 0 to 100. */
  readonly announced: number
  readonly right: number
  /** Tokens that a whole conversation adds to the prompt. */
  readonly tokens: number
  /** Tools that were added although the conversation had them. */
  readonly twice: number
  /** Bytes of prompts that the next prompt does not repeat. */
  readonly changedBytes: number
  readonly rejected: number
}

/** What other limits would do, averaged over half of the sets. */
export interface MeasuredLimits
  extends Pick<ExpectedSet, 'ranker' | 'right' | 'precision' | 'tokens'> {
  readonly half: 'first' | 'second'
  /** See `ExpectLimits`. */
  readonly tools: number
  readonly close: number
  readonly description: number
}

export interface ExpectReport {
  readonly date: string
  readonly mode: string
  readonly sets: readonly ExpectedSet[]
  readonly turns: readonly ExpectedTurns[]
  readonly limits: readonly MeasuredLimits[]
}
