/**
 * A piece of a tool's result in no provider's shape. Providers and frameworks translate it into the
 * richest form they accept.
 */
export type OutputPart = TextPart | MediaPart | ResourcePart | LinkPart | NativePart

/** A block in the shape of one provider. */
export interface NativeBlock {
  readonly provider: string
  readonly block: Readonly<Record<string, unknown>>
}

interface Readable {
  /** The block that the part was read from. Its own provider gets it back unchanged. */
  readonly native?: NativeBlock
}

export interface TextPart extends Readable {
  readonly type: 'text'
  readonly text: string
}

/** An image, a sound or a document, with its bytes or its address. */
export interface MediaPart extends Readable {
  readonly type: 'image' | 'audio' | 'file'
  /** The bytes as base64. Absent if `url` is there. */
  readonly data?: string
  readonly url?: string
  /** Without a known subtype, such as `image/*`, if only an address is known. */
  readonly mimeType: string
  readonly filename?: string
}

/** The content of a resource with text. A resource with bytes is a `MediaPart`. */
export interface ResourcePart extends Readable {
  readonly type: 'resource'
  readonly uri: string
  readonly text: string
  readonly mimeType?: string
}

/** A resource that the result only points to. */
interface LinkPart {
  readonly type: 'link'
  readonly uri: string
  readonly name?: string
  readonly description?: string
  readonly mimeType?: string
}

/** A block that only one provider can read, such as a file that was uploaded there. */
interface NativePart extends NativeBlock {
  readonly type: 'native'
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
