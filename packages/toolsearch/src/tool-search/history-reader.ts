/** One object somewhere in a message, such as a content block. */
export type HistoryBlock = Readonly<Record<string, unknown>>

/**
 * Recognises the message shapes of one provider or framework, for `readHistory`. Each function is
 * called with every object in a history, must ignore shapes it does not recognise, and must not throw.
 */
export interface HistoryReader {
  /** The tools that a block references or defines. */
  revealed?(block: HistoryBlock): readonly string[]
  /** The tools that a block removes from the conversation; undefined if it does not remove any. */
  removed?(block: HistoryBlock): readonly string[] | undefined
  call?(block: HistoryBlock): HistoryCall | undefined
  result?(block: HistoryBlock): HistoryResult | undefined
  /** The tools in one entry of a tool list; undefined for a plain object with a `name`. */
  listed?(entry: HistoryBlock): readonly string[] | undefined
  /** Keys whose values are data, such as arguments: objects inside them are not message blocks. */
  readonly opaqueKeys: readonly string[]
}

/** A call to a tool. Fields have the type unknown, because histories can contain anything. */
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
