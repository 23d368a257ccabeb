import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  FoundTool,
  ReportLost,
  ResultPart,
} from '../../conversations/conversation.ts'
import { isMedia, partsOf, readContent, resultText, writeMedia } from '../../conversations/media.ts'
import { isObject } from '../../is-object.ts'
import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import type { RevealedTool } from './sdk-mode.ts'
import { revealedByBlock } from './tool-reference.ts'

/** A model message of the AI SDK, assignable to the SDK's own type. */
export interface SdkModelMessage {
  // biome-ignore lint/suspicious/noExplicitAny: the SDK has a type for each role
  role: any
  // biome-ignore lint/suspicious/noExplicitAny: see above
  content: any
}

type Part = Readonly<Record<string, unknown>>

/** Model messages of the AI SDK. The model behind it can be anyone's. */
export const aiSdkFormat: ConversationFormat = {
  acceptsName: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,

  read: (messages, { reportLost }) =>
    messages.map((message, at) => readMessage(message, at, reportLost)),

  write: (messages, reportLost) => messages.flatMap((message) => writeMessage(message, reportLost)),
}

const ROLES: Readonly<Record<string, Draft['role']>> = {
  system: 'system',
  assistant: 'assistant',
  tool: 'tool',
}

function readMessage({ role, content }: Part, at: number, reportLost: ReportLost): Draft {
  const parts = partsOf(content).flatMap((part) => readPart(part, at, reportLost))
  return { role: ROLES[String(role)] ?? 'user', parts, at }
}

function readPart(part: Part, at: number, reportLost: ReportLost): DraftPart[] {
  const { type, toolCallId, toolName, input, output } = part
  if (type === 'reasoning' || type === 'reasoning-file') {
    reportLost('thinking', at, 'Only the model that wrote it can read reasoning.')
    return []
  }
  if (type === 'tool-call' && part.providerExecuted !== true) {
    const args = parseArguments(input)
    return [{ type: 'call', id: toolCallId, name: String(toolName), arguments: args }]
  }
  if (type === 'tool-result') {
    return [{ type: 'result', callId: toolCallId, ...readOutput(output, at, reportLost) }]
  }
  return readFile(part, at, reportLost)
}

function readOutput(
  output: unknown,
  at: number,
  reportLost: ReportLost,
): { parts: readonly OutputPart[]; isError: boolean; found?: readonly FoundTool[] } {
  const { type, value, reason } = isObject(output) ? output : {}
  const isError = String(type).startsWith('error') || type === 'execution-denied'
  if (type === 'content') {
    const blocks = partsOf(value)
    const found = blocks.flatMap(revealedByBlock).map(toFoundTool)
    const parts = blocks
      .filter((block) => revealedByBlock(block).length === 0)
      .flatMap((block) => readFile(block, at, reportLost))
    // A text next to references already names the tools.
    const isUndescribed = found.length > 0 && !parts.some((part) => part.type === 'text')
    return { parts, isError, ...(isUndescribed && { found }) }
  }
  const data = type === 'execution-denied' ? (reason ?? 'The call was denied.') : value
  const text = typeof data === 'string' ? data : JSON.stringify(data ?? '')
  return { parts: [{ type: 'text', text }], isError }
}

function toFoundTool({ name, definition }: RevealedTool): FoundTool {
  if (definition === undefined) return name
  const { description, inputSchema } = definition
  return { name, ...(description !== undefined && { description }), inputSchema }
}

function readFile(part: Part, at: number, reportLost: ReportLost): ContentPart[] {
  const read = readContent(resultFile(part))
  if (read !== undefined) return [read]
  const { type } = part
  if (type === 'image' || String(type).startsWith('file')) {
    reportLost('file', at, 'The file is stored at its provider; other providers cannot read it.')
  } else reportLost('native', at, `Other providers have no parts of the type ${String(type)}.`)
  return []
}

/** Files of messages in the form of files in results: an address is marked as one. */
function resultFile(part: Part): Part {
  const { type, image, data = image, mediaType } = part
  if (type !== 'image' && type !== 'file') return part
  const isUrl = typeof data === 'string' && /^(?:https?|data):/i.test(data)
  return isUrl || data instanceof URL
    ? { ...part, type: `${type}-url`, url: String(data), mediaType: mediaType ?? '' }
    : { ...part, type: `${type}-data`, data, mediaType: mediaType ?? 'image/png' }
}

function writeMessage({ role, parts, at }: ConversationMessage, reportLost: ReportLost): Part[] {
  if (role === 'system') reportLost('system-role', at, 'An instruction became a user message.')
  const content = parts.flatMap((part): Part[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }]
    if (part.type === 'result') return [writeResult(part, at, reportLost)]
    if (part.type !== 'call') return writeMedia(part, { write: filePart, at, reportLost })
    const { id, name, arguments: input } = part
    return [{ type: 'tool-call', toolCallId: id, toolName: name, input }]
  })
  return content.length > 0 ? [{ role: role === 'system' ? 'user' : role, content }] : []
}

function writeResult(
  { callId, name, parts, isError }: ResultPart,
  at: number,
  reportLost: ReportLost,
): Part {
  const media = parts.filter(isMedia)
  if (isError) {
    for (const { type } of media) reportLost(type, at, 'An error result can only contain text.')
  }
  const output = isError
    ? { type: 'error-text', value: resultText(parts) }
    : media.length === 0
      ? { type: 'text', value: resultText(parts) }
      : {
          type: 'content',
          value: parts.flatMap((part): Part[] =>
            isMedia(part)
              ? writeMedia(part, { write: filePart, at, reportLost })
              : [{ type: 'text', text: partText(part) }],
          ),
        }
  return { type: 'tool-result', toolCallId: callId, toolName: name, output }
}

function filePart({ data, url, mimeType, filename }: MediaPart): Part | string {
  if (url !== undefined && !URL.canParse(url)) return `The address "${url}" is not a URL.`
  return {
    type: 'file',
    mediaType: mimeType,
    data:
      url === undefined ? { type: 'data', data: data ?? '' } : { type: 'url', url: new URL(url) },
    ...(filename !== undefined && { filename }),
  }
}
