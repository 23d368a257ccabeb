import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  FoundTool,
  ReadContext,
  ReportLost,
  ResultPart,
} from '../../conversations/conversation.ts'
import { isMedia, partsOf, readContent, resultText, writeMedia } from '../../conversations/media.ts'
import { additionDrafts } from '../../conversations/search-drafts.ts'
import { isObject } from '../../is-object.ts'
import type { OutputPart } from '../../outputs/output-part.ts'
import { partText } from '../../outputs/parts-text.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import { ACCEPTED_NAME, developerText, type Item, isHostedSearch } from './items.ts'
import { mediaItem } from './output-content.ts'

/** Input items of the Responses API. */
export const openaiFormat: ConversationFormat = {
  acceptsName: ACCEPTED_NAME,

  read(items, context) {
    let hostedId = ''
    const drafts = items.flatMap((item, at) => {
      // A hosted search has no id: its output follows it.
      const isHosted = isHostedSearch(item)
      if (isHosted && item.type === 'tool_search_call') hostedId = `search_${at}`
      return readItem(isHosted ? { ...item, call_id: hostedId } : item, at, context)
    })
    return joinTurns(drafts)
  },

  write: (messages, reportLost) => messages.flatMap((message) => writeMessage(message, reportLost)),
}

function readItem(item: Item, at: number, context: ReadContext): Draft[] {
  const { type, role, call_id: callId } = item
  const { searchTool, reportLost } = context
  if (type === 'function_call') {
    const parsed = parseArguments(item.arguments)
    return [call(callId, String(item.name), parsed, at)]
  }
  if (type === 'custom_tool_call')
    return [call(callId, String(item.name), { input: item.input }, at)]
  if (type === 'tool_search_call') {
    const input = parseArguments(item.arguments)
    return [call(callId, searchTool, isObject(input) ? input : {}, at)]
  }
  if (type === 'function_call_output' || type === 'custom_tool_call_output') {
    return [
      result(
        callId,
        partsOf(item.output).flatMap((part) => readPart(part, at, reportLost)),
        at,
      ),
    ]
  }
  if (type === 'tool_search_output') {
    return [result(callId, [], at, definedTools(item))]
  }
  if (type === 'additional_tools') {
    return additionDrafts({ id: `added_${at}`, searchTool, at }, definedTools(item))
  }
  if (type === 'reasoning') {
    reportLost('thinking', at, 'Only the service that wrote it can read a reasoning item.')
    return []
  }
  if (type === 'compaction') {
    reportLost('compaction', at, 'A compaction item is encrypted; what it replaced is missing.')
    return []
  }
  if (typeof role !== 'string') {
    reportLost('native', at, `Only the Responses API has items of the type ${String(type)}.`)
    return []
  }
  return [{ role: roleOf(role), parts: readTexts(item, at, reportLost), at }]
}

function call(id: unknown, name: string, input: unknown, at: number): Draft {
  return { role: 'assistant', parts: [{ type: 'call', id, name, arguments: input }], at }
}

function result(
  callId: unknown,
  parts: readonly OutputPart[],
  at: number,
  found?: readonly FoundTool[],
): Draft {
  const output: DraftPart = { type: 'result', callId, parts, isError: false }
  return { role: 'tool', parts: [found === undefined ? output : { ...output, found }], at }
}

function roleOf(role: string): Draft['role'] {
  if (role === 'assistant') return 'assistant'
  return role === 'user' ? 'user' : 'system'
}

/** The texts of a reply are pieces of one text. */
function readTexts({ role, content }: Item, at: number, reportLost: ReportLost): DraftPart[] {
  const parts = partsOf(content).flatMap((part) => readPart(part, at, reportLost))
  if (role !== 'assistant') return parts
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return [{ type: 'text', text }, ...parts.filter(({ type }) => type !== 'text')]
}

function readPart(part: Item, at: number, reportLost: ReportLost): ContentPart[] {
  const read = readContent(part)
  if (read !== undefined) return [read]
  const { type } = part
  if (type === 'input_image' || type === 'input_file') {
    const kind = type === 'input_image' ? 'image' : 'file'
    reportLost(kind, at, 'The file is stored at OpenAI; other providers cannot read it.')
  } else reportLost('native', at, `Only OpenAI has parts of the type ${String(type)}.`)
  return []
}

/** The definitions in an item, including those in namespaces. */
function definedTools({ tools }: Item): FoundTool[] {
  if (!Array.isArray(tools)) return []
  return tools.filter(isObject).flatMap((tool): FoundTool[] => {
    if (tool.type === 'namespace') return definedTools(tool)
    if (typeof tool.name !== 'string') return []
    const { name, description, parameters: inputSchema } = tool
    return [{ name, description: String(description ?? ''), inputSchema }]
  })
}

/** Consecutive items of the model are one reply, and so are their outputs. */
function joinTurns(drafts: readonly Draft[]): Draft[] {
  const joined: Draft[] = []
  for (const draft of drafts) {
    const last = joined.at(-1)
    const isJoined =
      last?.role === draft.role && (last.role === 'assistant' || last.role === 'tool')
    if (isJoined) joined[joined.length - 1] = { ...last, parts: [...last.parts, ...draft.parts] }
    else joined.push(draft)
  }
  return joined
}

function writeMessage({ role, parts, at }: ConversationMessage, reportLost: ReportLost): Item[] {
  if (role === 'system') return [developerText(resultText(parts as readonly OutputPart[]))]
  if (role === 'user') {
    const content = parts.flatMap((part) => writeContent(part as OutputPart, at, reportLost))
    const [first, ...rest] = content
    if (first === undefined) return []
    const isText = rest.length === 0 && first.type === 'input_text'
    return [{ role: 'user', content: isText ? first.text : content }]
  }
  return parts.flatMap((part): Item[] => {
    if (part.type === 'text') return [{ role: 'assistant', content: part.text }]
    if (part.type === 'result') return [writeResult(part, at, reportLost)]
    if (part.type !== 'call') {
      reportLost(part.type, at, 'Messages of the assistant can only contain text.')
      return []
    }
    const { id, name, arguments: input } = part
    return [{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) }]
  })
}

function writeResult(
  { callId, parts, isError }: ResultPart,
  at: number,
  reportLost: ReportLost,
): Item {
  if (isError)
    reportLost('error-flag', at, 'A function call output has no error flag; its text stays.')
  const output = parts.some(isMedia)
    ? parts.flatMap((part) => writeContent(part, at, reportLost))
    : resultText(parts)
  return { type: 'function_call_output', call_id: callId, output }
}

function writeContent(part: OutputPart, at: number, reportLost: ReportLost): Item[] {
  if (!isMedia(part)) return [{ type: 'input_text', text: partText(part) }]
  const items = writeMedia(part, { write: mediaItem, at, reportLost })
  // The types of OpenAI's client require `detail` in messages of the user.
  return items.map((item) => (item.type === 'input_image' ? { ...item, detail: 'auto' } : item))
}
