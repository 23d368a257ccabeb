/** What a model asked the search tool for, once understood. `text` is what it wrote, trimmed. */
export type Query = BlankQuery | SelectQuery | WordsQuery

/** Nothing that could be searched for. */
interface BlankQuery {
  readonly kind: 'blank'
  readonly text: string
}

/** Tools asked for by name, in the order asked, each once. */
export interface SelectQuery {
  readonly kind: 'select'
  readonly text: string
  readonly names: readonly string[]
}

/** Words to rank by. Whether they happen to be a tool's name, the catalogue decides. */
export interface WordsQuery {
  readonly kind: 'words'
  readonly text: string
  /** The text without the quotes or backticks a model may have pasted around a name. */
  readonly name: string
  /** Every word in order, lower-case, without the `+` of a required one. */
  readonly terms: readonly string[]
  /** The words a tool must contain to be considered at all. */
  readonly required: readonly string[]
}
