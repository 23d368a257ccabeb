/**
 * The fields of a Messages request that the checks read. All are optional, because a request under test
 * may lack any of them.
 */
export interface MessagesBody {
  model?: string
  max_tokens?: number
  messages?: readonly Message[]
  system?: string | readonly Block[]
  tools?: readonly Tool[]
  tool_choice?: { type: string; name?: string }
  thinking?: { type: string }
  mcp_servers?: readonly { name: string }[]
}

export interface Message {
  role: string
  content?: string | readonly Block[]
  clear_at?: string | null
  output_config?: unknown
}

/** Any content block. Its fields depend on its type. */
export interface Block {
  type: string
  text?: string
  id?: string
  name?: string
  input?: unknown
  tool_use_id?: string
  content?: string | readonly Block[] | { tool_references?: readonly Block[] }
  tool_name?: string
  /** The tool of a `tool_addition` or `tool_removal`. */
  tool?: { type: string; name?: string; server_name?: string; definition?: Tool }
  thinking?: string
  signature?: string | null
  /** The `tool_addition` and `tool_removal` blocks of a compacted range. */
  tool_changes?: readonly Block[] | null
}

export interface Tool {
  type?: string | null
  name?: string
  description?: string
  input_schema?: Record<string, unknown>
  input_examples?: readonly unknown[]
  allowed_callers?: readonly string[]
  strict?: boolean
  defer_loading?: boolean
  cache_control?: unknown
  mcp_server_name?: string
  default_config?: { defer_loading?: boolean }
}

/** The blocks of a content. A string is short for one text block. */
export function blocksOf(content: unknown): readonly Block[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  return Array.isArray(content) ? (content as Block[]) : []
}

/** A block with its path in the service's notation: `messages.1.content.0`. */
export interface PlacedBlock {
  block: Block
  path: string
  role: string
}

/** All blocks of all messages in order, without the blocks inside tool results. */
export function placedBlocks({ messages = [] }: MessagesBody): PlacedBlock[] {
  return messages.flatMap(({ role, content }, message) =>
    blocksOf(content).map((block, index) => ({
      block,
      role,
      path: `messages.${message}.content.${index}`,
    })),
  )
}

/** A summary that the service signed. It replaces the messages before it. */
export function isSignedCompaction({ type, signature, content }: Block): boolean {
  return type === 'compaction' && typeof signature === 'string' && content !== null
}

/** The `tool_reference` blocks in a result of the service's or the client's search. */
export function referencesIn({ type, content }: Block): readonly Block[] {
  if (type === 'tool_result') {
    return blocksOf(content).filter((inner) => inner.type === 'tool_reference')
  }
  if (type !== 'tool_search_tool_result' || typeof content !== 'object') return []
  return 'tool_references' in content ? (content.tool_references ?? []) : []
}

const NATIVE_SEARCH = /^(tool_search_tool_(?:bm25|regex))(?:_20251119)?$/

/** The required name of a native search tool of this type; undefined for other types. */
export function nativeSearchName(type: string | null | undefined): string | undefined {
  return NATIVE_SEARCH.exec(type ?? '')?.[1]
}
