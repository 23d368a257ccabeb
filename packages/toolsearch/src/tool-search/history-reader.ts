/** One object somewhere in a message, such as a content block. */
export type HistoryBlock = Readonly<Record<string, unknown>>

/**
 * Recognises the message shapes of one provider or framework, for `readHistory`. Every function gets
 * any object of any history and must return nothing for shapes that it does not know. None may throw.
 */
export interface HistoryReader {
  /** The tools that a block references or defines. */
  revealed?(block: HistoryBlock): readonly string[]
  /** The tools that a block removes from the conversation; undefined if it does not remove any. */
  removed?(block: HistoryBlock): readonly string[] | undefined
  call?(block: HistoryBlock): HistoryCall | undefined
  result?(block: HistoryBlock): HistoryResult | undefined
  /** The tools in one entry of a tool list, if it is not simply an object with a `name`. */
  listed?(entry: HistoryBlock): readonly string[] | undefined
  /** Keys with data of tools or models, such as arguments, in which blocks mean nothing. */
  readonly opaqueKeys: readonly string[]
}

/** A call of a tool. Fields have the type unknown, because histories can contain anything. */
interface HistoryCall {
  /** Everything that a result may use to refer to the call. */
  readonly ids: readonly unknown[]
  readonly name: unknown
  readonly arguments: unknown
}

/** The result of a call, which refers to it by id or by the name of the tool. */
export interface HistoryResult {
  readonly callId?: unknown
  readonly toolName?: unknown
  readonly content: unknown
}
