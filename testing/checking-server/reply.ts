/** A scripted reply of the model, independent of the provider. Each service encodes it. */
export interface Reply {
  /** What the model thinks before it answers. Services without signed thinking ignore it. */
  thinking?: string
  text?: string
  calls?: readonly ReplyCall[]
  /**
   * Whether the model can call tools that the request does not define, and pass arguments that their
   * schemas exclude. Only for tests of such mistakes: services with constrained decoding never send them.
   * @default false
   */
  unconstrained?: boolean
  /** The provider's own search ran before the calls and found these deferred tools. */
  search?: { found: readonly string[] }
  /** The model asks the client to search (OpenAI's client-executed `tool_search`). */
  clientSearch?: { arguments: unknown; callId?: string }
  /**
   * Output items, content blocks, parts or tool calls in the service's own shape, between the text
   * and the calls.
   */
  native?: readonly Readonly<Record<string, unknown>>[]
  /**
   * Anthropic pauses the turn. A `search` then has no result yet; the `search` of the reply that
   * continues the turn has it.
   */
  pauses?: boolean
  /** Anthropic replies with nothing but a signed summary of the conversation. */
  compaction?: { content: string; toolChanges?: readonly unknown[] }
}

export interface ReplyCall {
  /** @default a generated unique id */
  id?: string
  name: string
  arguments: unknown
}

let idCount = 0

/** A unique id with the prefix that a service uses for this kind of object. */
export function newId(prefix: string): string {
  idCount += 1
  return `${prefix}_${String(idCount).padStart(8, '0')}`
}

/** A rough estimate for the `usage` of a reply. Do not use it for measurements. */
export function estimateTokens(texts: readonly string[]): number {
  const length = texts.reduce((sum, text) => sum + text.length, 0)
  return Math.max(1, Math.ceil(length / 4))
}

/** The script contains a reply that the service could never send for this request. */
export class ImpossibleReplyError extends Error {
  override readonly name = 'ImpossibleReplyError'
  readonly code = 'impossible_reply'
}
