import { isObject } from '../../is-object.ts'
import { type Block, blocksIn, textIn } from '../../transcript/block.ts'
import type {
  Entry,
  FoundPart,
  FoundTool,
  OtherPart,
  Part,
  SearchBlock,
  TextPart,
} from '../../transcript/entry.ts'
import { isHostedSearch } from './items.ts'

/** What an input item of the Responses API says. */
export function read(item: object, at: number): Entry {
  const native = item as Block
  const part = readItem(native)
  if (part !== undefined) return { role: roleOfItem(part), parts: [part], native, at }
  const { role, content } = native
  const isKnown = role === 'assistant' || role === 'user'
  return {
    role: isKnown ? role : 'system',
    parts: blocksIn(content).map(readContent),
    native,
    at,
  }
}

/** Undefined for a message. */
function readItem(native: Block): Part | undefined {
  const { type, call_id } = native
  const id = typeof call_id === 'string' ? call_id : undefined
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
      const parts = blocksIn(native.output).map(readContent)
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
      return typeof native.role === 'string' ? undefined : readContent(native)
  }
}

/** Items of a search have no name. Hosted ones have no id either: an output follows its search. */
const SEARCH = 'tool_search'

function searchOf(item: Block): SearchBlock {
  return isHostedSearch(item) ? 'provider' : 'own'
}

function roleOfItem({ type }: Part): Entry['role'] {
  if (type === 'result') return 'tool'
  return type === 'added' || type === 'summary' ? 'system' : 'assistant'
}

function readContent(native: Block): TextPart | OtherPart {
  const text = textIn(native)
  if (text !== undefined) return { type: 'text', text, native }
  const stored = STORED[String(native.type)]
  return { type: 'other', kind: String(native.type), ...(stored && { stored }), native }
}

const STORED: Readonly<Record<string, 'image' | 'file' | undefined>> = {
  input_image: 'image',
  input_file: 'file',
}

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
