import type { MediaPart, OutputPart, TextPart } from '../outputs/output-part.ts'

/** A message in no provider's shape. */
export interface ConversationMessage {
  /** `system` is an instruction after the start of the conversation, `tool` has results only. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly parts: readonly ConversationPart[]
  /** The index of the message it comes from. */
  readonly at: number
}

export type ConversationPart = ContentPart | CallPart | ResultPart

/** What users and models say. */
export type ContentPart = TextPart | MediaPart

export interface CallPart {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface ResultPart {
  readonly type: 'result'
  readonly callId: string
  /** The called tool. */
  readonly name: string
  readonly parts: readonly OutputPart[]
  readonly isError: boolean
}

/** Something that could not be moved to another provider. */
export interface Lost {
  readonly kind:
    | 'thinking'
    | 'image'
    | 'audio'
    | 'file'
    | 'arguments'
    | 'result'
    | 'error-flag'
    | 'system-role'
    | 'tool-removal'
    | 'compaction'
    /** A block that only the original provider knows, such as a web search it ran itself. */
    | 'native'
  /** The index of the message in the original list. */
  readonly at: number
  /** A sentence that says what happened and why. */
  readonly reason: string
}

/** Reports what a message loses. */
export type ReportLost = (kind: Lost['kind'], at: number, reason: string) => void

/** What a provider's messages say, and how to say it in the provider's messages. */
export interface ConversationFormat {
  /** The tool names that the provider accepts. */
  readonly acceptsName: RegExp
  read(messages: readonly Readonly<Record<string, unknown>>[], context: ReadContext): Draft[]
  write(
    messages: readonly ConversationMessage[],
    reportLost: ReportLost,
  ): Readonly<Record<string, unknown>>[]
}

export interface ReadContext {
  /** The name of the search tool. Searches of a provider become calls to it. */
  readonly searchTool: string
  readonly reportLost: ReportLost
}

/** A message as it was read: ids may be missing or repeated, and arguments may be anything. */
export interface Draft {
  readonly role: ConversationMessage['role']
  readonly parts: readonly DraftPart[]
  readonly at: number
}

export type DraftPart =
  | ContentPart
  | {
      readonly type: 'call'
      readonly id: unknown
      readonly name: string
      readonly arguments: unknown
    }
  | {
      readonly type: 'result'
      readonly callId: unknown
      readonly parts: readonly OutputPart[]
      readonly isError: boolean
      /** Tools that a search found and that no part names. */
      readonly found?: readonly FoundTool[]
    }

/** A tool that a search found: its name, or its definition. */
export type FoundTool = string | { name: string; description?: string; inputSchema?: unknown }
