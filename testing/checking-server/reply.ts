/** What the model says next, in no provider's words. Each service writes it in its own. */
export interface Reply {
  text?: string
  calls?: readonly ReplyCall[]
  /** The provider searched its deferred tools by itself before the calls, and found these. */
  search?: { found: readonly string[] }
  /** The model asks the client to search (OpenAI's client-executed `tool_search`). */
  clientSearch?: { arguments: unknown; callId?: string }
}

export interface ReplyCall {
  /** @default an id that no other call has */
  id?: string
  name: string
  arguments: unknown
}
