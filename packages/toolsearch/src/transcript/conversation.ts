import type { MediaPart, OutputPart, TextPart } from '../outputs/output-part.ts'
import type { Block } from './block.ts'
import type { Entry } from './entry.ts'

/** How to read the messages of one provider or framework, and how to write them. */
export interface ConversationFormat {
  /** The tool names that the provider accepts. */
  readonly acceptsName: RegExp
  /** Never throws: a history can contain anything. */
  read(message: object, at: number): Entry
  write(messages: readonly ConversationMessage[], reportLost: ReportLost): Block[]
}

/** A message to write: what every provider has, with valid ids and a call for every result. */
export interface ConversationMessage {
  readonly role: Entry['role']
  readonly parts: readonly ConversationPart[]
  /** The index of the message it comes from. */
  readonly at: number
}

export type ConversationPart = ContentPart | ConversationCall | ConversationResult

/** What users and models say. */
export type ContentPart = TextPart | MediaPart

export interface ConversationCall {
  readonly type: 'call'
  readonly id: string
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

export interface ConversationResult {
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
