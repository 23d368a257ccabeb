/** A parsed query. `text` is the model's query, trimmed. */
export type Query = BlankQuery | SelectQuery | WordsQuery

/** A query without any words. */
interface BlankQuery {
  readonly kind: 'blank'
  readonly text: string
}

/** Tools requested by name, in query order without duplicates. */
interface SelectQuery {
  readonly kind: 'select'
  readonly text: string
  readonly names: readonly string[]
}

/** A keyword query. It can also be a tool's name. */
export interface WordsQuery {
  readonly kind: 'words'
  readonly text: string
  /** The text without quotes, brackets and punctuation around it, to be compared with tool names. */
  readonly name: string
  /** All words in order, in lower case, without the `+` of required ones. */
  readonly terms: readonly string[]
  /** The words that a tool must contain. */
  readonly required: readonly string[]
}
