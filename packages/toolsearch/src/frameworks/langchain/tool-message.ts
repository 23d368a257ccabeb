import type { BridgeAnswer } from '../../bridge/bridge.ts'
import type { OutputPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import { isMedia } from '../../transcript/media.ts'
import type { LangChainToolCall } from './langchain-shapes.ts'

/** A tool message that LangGraph's message reducer turns into an object of LangChain. */
export interface NewToolMessage extends ToolMessageFields {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly name: string
}

/** The fields of a tool message that depend on the result. */
export interface ToolMessageFields {
  readonly content: string | readonly ContentBlock[]
  readonly status: 'success' | 'error'
}

/** A standard content block of LangChain. */
type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image' | 'audio' | 'file'
      readonly mimeType: string
      readonly data?: string
      readonly url?: string
    }

/** Text stays a string; LangChain's models translate blocks to what their provider accepts. */
export function toolMessageFields({ text, parts, isError }: BridgeAnswer): ToolMessageFields {
  return {
    content: parts.some(isMedia) ? parts.map(toBlock) : text,
    status: isError ? 'error' : 'success',
  }
}

export function toolMessage(
  { id = '', name }: LangChainToolCall,
  answer: BridgeAnswer,
): NewToolMessage {
  return { role: 'tool', tool_call_id: id, name, ...toolMessageFields(answer) }
}

/** Changes a new tool message, if it is one. LangChain stores `lc_kwargs`. */
export function changeMessage<RESULT>(result: RESULT, fields: object): RESULT {
  const message = result as { tool_call_id?: string; lc_kwargs?: object }
  if (message.tool_call_id === undefined) return result
  Object.assign(message, fields)
  Object.assign(message.lc_kwargs ?? {}, fields)
  return result
}

function toBlock(part: OutputPart): ContentBlock {
  if (!isMedia(part)) return { type: 'text', text: partText(part) }
  const { type, mimeType, data, url } = part
  return { type, mimeType, ...(data !== undefined ? { data } : url !== undefined && { url }) }
}
