import { isObject } from '../../is-object.ts'
import { type Block, blocksIn, idIn } from '../../transcript/block.ts'
import type {
  Entry,
  FoundPart,
  FoundTool,
  OtherPart,
  Part,
  SearchBlock,
  TextPart,
} from '../../transcript/entry.ts'
import { readContent } from '../../transcript/read-content.ts'
import { answeredId, clientCall, isClientCall } from './call-types.ts'
import { isHostedSearch } from './items.ts'

/** Types of content parts in Anthropic's API and in Chat Completions. */
const FOREIGN_PART = /^(?:tool_|server_tool_|thinking$|redacted_thinking$|image|document$|file$)/

/** Whether an item has the shape of the Responses API. Plain text fits other APIs too. */
export function recognises(item: object): boolean | undefined {
  const { type, role, content, parts, tool_calls } = item as Block
  if (Array.isArray(parts) || Array.isArray(tool_calls) || role === 'tool') return false
  if (typeof type === 'string' && type !== 'message') return true
  if (!Array.isArray(content)) return undefined
  const types = content.filter(isObject).map((part) => String(part.type))
  if (types.some((each) => FOREIGN_PART.test(each))) return false
  return types.some((each) => each !== 'text') ? true : undefined
}

/** What an input item of the Responses API says. */
export function read(item: object, at: number): Entry {
  const native = item as Block
  const part = readItem(native)
  if (part !== undefined) return { role: roleOfItem(part), parts: [part], native, at }
  const { role, content } = native
  const isKnown = role === 'assistant' || role === 'user'
  return {
    role: isKnown ? role : 'system',
    parts: contentParts(content),
    native,
    at,
  }
}

/** Undefined for a message. */
function readItem(native: Block): Part | undefined {
  const { type, call_id } = native
  const id = idIn(call_id)
  switch (type) {
    case 'function_call':
      return { type: 'call', id, name: String(native.name), arguments: native.arguments, native }
    case 'custom_tool_call': {
      const { name, input } = native
      return { type: 'call', id, name: String(name), arguments: { input }, native }
    }
    case 'tool_search_call': {
      const { arguments: input } = native
      return { type: 'call', id, name: SEARCH, arguments: input, search: searchOf(native), native }
    }
    case 'function_call_output':
    case 'custom_tool_call_output': {
      const parts = contentParts(native.output)
      return { type: 'result', callId: id, parts, isError: false, native }
    }
    case 'tool_search_output': {
      const found: FoundPart = {
        type: 'found',
        tools: definedTools(native),
        as: 'definition',
        native,
      }
      const search = searchOf(native)
      return {
        type: 'result',
        callId: id,
        name: SEARCH,
        parts: [found],
        isError: false,
        search,
        native,
      }
    }
    case 'additional_tools':
      return { type: 'added', tools: definedTools(native), as: 'definition', native }
    case 'reasoning':
      return { type: 'reasoning', native }
    case 'compaction':
      return { type: 'summary', text: undefined, changes: [], native }
    default:
      return typeof native.role === 'string'
        ? undefined
        : (readForeign(native) ?? readContent(native))
  }
}

/** A call to a tool that only OpenAI knows, such as its shell, or the output of one. */
function readForeign(native: Block): Part | undefined {
  if (isClientCall(native) && !isApproval(native)) {
    const { id, name, arguments: input } = clientCall(native)
    return { type: 'call', id: id!, name, arguments: input, isForeign: true, native }
  }
  const callId = answeredId(native)
  if (callId === undefined || isApproval(native)) return undefined
  return { type: 'result', callId, parts: [], isError: false, isForeign: true, native }
}

/** The service accepts a request for an approval without a response. */
function isApproval({ type }: Block): boolean {
  return String(type).startsWith('mcp_approval_')
}

/** Items of a search have no name. Hosted ones have no id either: an output follows its search. */
const SEARCH = 'tool_search'

function searchOf(item: Block): SearchBlock {
  return isHostedSearch(item) ? 'provider' : 'own'
}

function roleOfItem({ type, native }: Part): Entry['role'] {
  if (type === 'added') return 'system'
  return String(native.type).endsWith('_output') ? 'tool' : 'assistant'
}

function contentParts(content: unknown): (TextPart | OtherPart)[] {
  return blocksIn(content).map((part) => readContent(part, STORED))
}

/** Parts whose media can be stored at OpenAI. */
const STORED = { input_image: 'image', input_file: 'file' } as const

/** The definitions in an item, including those in namespaces. */
function definedTools({ tools }: Block): FoundTool[] {
  if (!Array.isArray(tools)) return []
  return tools.filter(isObject).flatMap((tool): FoundTool[] => {
    if (tool.type === 'namespace') return definedTools(tool)
    if (typeof tool.name !== 'string') return []
    const { name, description, parameters: inputSchema } = tool
    return [{ name, description: String(description ?? ''), inputSchema }]
  })
}
