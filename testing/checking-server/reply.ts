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

let made = 0

/** An id that nothing else in this process has, with the prefix a service gives to such a thing. */
export function newId(prefix: string): string {
  made += 1
  return `${prefix}_${String(made).padStart(8, '0')}`
}

/** A plausible number for the `usage` of a reply. Not for measuring. */
export function roughlyTokens(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return Math.max(1, Math.ceil(length / 4))
}

/** A script has the service say something that it cannot say in answer to this request. */
export class ImpossibleReplyError extends Error {
  override readonly name = 'ImpossibleReplyError'
  readonly code = 'impossible_reply'
}
