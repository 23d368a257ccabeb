/**
 * A piece of a tool's result in no provider's shape. Providers and frameworks translate it into the
 * richest form they accept.
 */
export type OutputPart = TextPart | MediaPart | ResourcePart | LinkPart | NativePart

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

/** An image, a sound or a document, with its bytes or its address. */
export interface MediaPart {
  readonly type: 'image' | 'audio' | 'file'
  /** The bytes as base64. Absent if `url` is there. */
  readonly data?: string
  readonly url?: string
  readonly mimeType: string
  readonly filename?: string
}

/** The content of a resource with text. A resource with bytes is a `MediaPart`. */
export interface ResourcePart {
  readonly type: 'resource'
  readonly uri: string
  readonly text: string
  readonly mimeType?: string
}

/** A resource that the result only points to. */
export interface LinkPart {
  readonly type: 'link'
  readonly uri: string
  readonly name?: string
  readonly description?: string
  readonly mimeType?: string
}

/** A block that only one provider knows, such as a search result of Anthropic. */
export interface NativePart {
  readonly type: 'native'
  readonly provider: string
  readonly block: Readonly<Record<string, unknown>>
}

/** The result of a tool. */
export interface ToolOutput {
  readonly parts: readonly OutputPart[]
  readonly isError: boolean
}

/** A part that a request could not carry as it is. */
export interface DroppedPart {
  /** The type of the part. */
  readonly type: OutputPart['type']
  /** A sentence that says why, and what was sent instead. */
  readonly reason: string
  /** The tool whose result it was. */
  readonly tool?: string
  readonly callId?: string
}
