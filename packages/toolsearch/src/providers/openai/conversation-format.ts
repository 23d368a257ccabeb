import type {
  ContentPart,
  ConversationFormat,
  ConversationMessage,
  Draft,
  DraftPart,
  FoundTool,
  Lose,
  ReadContext,
  ResultPart,
} from '../../conversations/conversation.ts'
import {
  isMedia,
  mediaFromData,
  mediaFromUrl,
  partsOf,
  resultText,
  textOf,
  urlOf,
} from '../../conversations/media.ts'
import { additionDrafts } from '../../conversations/search-drafts.ts'
import { isObject } from '../../is-object.ts'
import type { MediaPart, OutputPart } from '../../outputs/output-part.ts'
import { parseArguments } from '../../tool-search/parse-arguments.ts'
import { ACCEPTED_NAME, developerText, type Item, isHostedSearch } from './items.ts'

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

  write: (messages, lose) => messages.flatMap((message) => writeMessage(message, lose)),
}

function readItem(item: Item, at: number, context: ReadContext): Draft[] {
  const { type, role, call_id: callId } = item
  const { searchTool, lose } = context
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
        partsOf(item.output).flatMap((part) => readContent(part, at, lose)),
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
    lose('thinking', at, 'Only the service that wrote it can read a reasoning item.')
    return []
  }
  if (type === 'compaction') {
    lose('compaction', at, 'A compaction item is encrypted; what it replaced is missing.')
    return []
  }
  if (typeof role !== 'string') {
    lose('native', at, `Only the Responses API has items of the type ${String(type)}.`)
    return []
  }
  return [{ role: roleOf(role), parts: readTexts(item, at, lose), at }]
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
function readTexts({ role, content }: Item, at: number, lose: Lose): DraftPart[] {
  const parts = partsOf(content).flatMap((part) => readContent(part, at, lose))
  if (role !== 'assistant') return parts
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  return [{ type: 'text', text }, ...parts.filter(({ type }) => type !== 'text')]
}

function readContent(part: Item, at: number, lose: Lose): ContentPart[] {
  const { type, text, refusal } = part
  if (typeof text === 'string') return [{ type: 'text', text }]
  if (typeof refusal === 'string') return [{ type: 'text', text: refusal }]
  const media = readMedia(part)
  if (media !== undefined) return [media]
  const kind = type === 'input_image' ? 'image' : type === 'input_file' ? 'file' : 'native'
  lose(kind, at, `A part of the type ${String(type)} refers to something stored at OpenAI.`)
  return []
}

function readMedia({
  type,
  image_url,
  file_data,
  file_url,
  filename,
}: Item): MediaPart | undefined {
  if (type === 'input_image' && typeof image_url === 'string') {
    return mediaFromUrl(image_url, 'image/png')
  }
  if (type !== 'input_file') return undefined
  if (typeof file_url === 'string') return mediaFromUrl(file_url, 'application/pdf', filename)
  if (typeof file_data !== 'string') return undefined
  return file_data.startsWith('data:')
    ? mediaFromUrl(file_data, 'application/pdf', filename)
    : mediaFromData(file_data, 'application/pdf', filename)
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

function writeMessage({ role, parts, at }: ConversationMessage, lose: Lose): Item[] {
  if (role === 'system') return [developerText(resultText(parts as readonly OutputPart[]))]
  if (role === 'user') {
    const content = parts.flatMap((part) => writeContent(part as OutputPart, at, lose))
    const [first, ...rest] = content
    if (first === undefined) return []
    const isText = rest.length === 0 && first.type === 'input_text'
    return [{ role: 'user', content: isText ? first.text : content }]
  }
  return parts.flatMap((part): Item[] => {
    if (part.type === 'text') return [{ role: 'assistant', content: part.text }]
    if (part.type === 'result') return [writeResult(part, at, lose)]
    if (part.type !== 'call') {
      lose(part.type, at, 'Messages of the assistant can only contain text.')
      return []
    }
    const { id, name, arguments: input } = part
    return [{ type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) }]
  })
}

function writeResult({ callId, parts, isError }: ResultPart, at: number, lose: Lose): Item {
  if (isError) lose('error-flag', at, 'A function call output has no error flag; its text stays.')
  const output = parts.some(isMedia)
    ? parts.flatMap((part) => writeContent(part, at, lose))
    : resultText(parts)
  return { type: 'function_call_output', call_id: callId, output }
}

function writeContent(part: OutputPart, at: number, lose: Lose): Item[] {
  if (!isMedia(part)) return [{ type: 'input_text', text: textOf(part) ?? '' }]
  if (part.type === 'image') {
    return [{ type: 'input_image', image_url: urlOf(part), detail: 'auto' }]
  }
  if (part.type === 'audio') {
    lose('audio', at, 'The Responses API does not accept audio.')
    return []
  }
  const file = part.url === undefined ? { file_data: urlOf(part) } : { file_url: part.url }
  const filename = part.url === undefined ? { filename: part.filename ?? 'file.pdf' } : {}
  return [{ type: 'input_file', ...file, ...filename }]
}
