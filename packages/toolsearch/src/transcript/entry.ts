import type { Block } from './block.ts'

/**
 * One message of a conversation, in no provider's shape. Entries are what everything that asks what a
 * history says looks at; only `read` of a provider or framework looks at the messages.
 */
export interface Entry {
  /** `system` is an instruction or a change of the tools, `tool` has results only. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** In the order of the blocks of the message. */
  readonly parts: readonly Part[]
  /** The message as the caller has it. If nobody changes the entry, exactly this object is sent. */
  readonly native: Block
  /** The index of the message in the caller's list. */
  readonly at: number
}

export type Part =
  | TextPart
  | CallPart
  | ResultPart
  | ChangePart
  | SummaryPart
  | ReasoningPart
  | OtherPart

interface ReadPart {
  /** The block that the part was read from. In some APIs, this is the whole message. */
  readonly native: Block
  /** The block carries a signature of the model's reasoning. */
  readonly isSigned?: boolean
}

export interface TextPart extends ReadPart {
  readonly type: 'text'
  readonly text: string
}

/** Who runs a search that has blocks of its own in an API, rather than being an ordinary call. */
export type SearchBlock = 'own' | 'provider'

export interface CallPart extends ReadPart {
  readonly type: 'call'
  /** Undefined if the API has no ids, or if the history lacks this one. */
  readonly id: string | undefined
  readonly name: string
  /** Anything: models and other providers may have written it. */
  readonly arguments: unknown
  readonly search?: SearchBlock
  /** Only the provider knows this tool. */
  readonly isForeign?: boolean
}

export interface ResultPart extends ReadPart {
  readonly type: 'result'
  readonly callId: string | undefined
  /** The called tool, in APIs whose results name it. */
  readonly name?: string
  readonly parts: readonly (TextPart | DataPart | FoundPart | OtherPart)[]
  readonly isError: boolean
  readonly search?: SearchBlock
  /** Only the provider knows the called tool. */
  readonly isForeign?: boolean
}

/** A result that is not a text. Only results contain it. */
export interface DataPart extends ReadPart {
  readonly type: 'data'
  readonly value: unknown
}

/** How messages carry tools: as names that the API replaces with definitions, or as definitions. */
type CarriedAs = 'reference' | 'definition'

/** Tools that a search found, in a form that the API understands. Only results contain it. */
export interface FoundPart extends ReadPart {
  readonly type: 'found'
  readonly tools: readonly FoundTool[]
  readonly as: CarriedAs
}

export interface FoundTool {
  readonly name: string
  readonly description?: string
  /** Absent if the message has only the name. */
  readonly inputSchema?: unknown
}

/** Tools that the conversation gets or loses without a search. */
export type ChangePart = AddedPart | RemovedPart

export interface AddedPart extends ReadPart {
  readonly type: 'added'
  readonly tools: readonly FoundTool[]
  readonly as: CarriedAs
}

interface RemovedPart extends ReadPart {
  readonly type: 'removed'
  readonly names: readonly string[]
}

/** Replaces everything before it. */
interface SummaryPart extends ReadPart {
  readonly type: 'summary'
  /** Undefined if it is encrypted. */
  readonly text: string | undefined
  /** The changes that it keeps from the messages it replaces. */
  readonly changes: readonly ChangePart[]
}

interface ReasoningPart extends ReadPart {
  readonly type: 'reasoning'
}

/** Media, or a block that only the provider knows. */
export interface OtherPart extends ReadPart {
  readonly type: 'other'
  /** What the provider calls it. */
  readonly kind: string
  /** The block in a form that `contentOf` reads, if it differs. */
  readonly block?: Block
  /** Media of this type that cannot be read, because they are stored at the provider. */
  readonly stored?: 'image' | 'audio' | 'file'
}
