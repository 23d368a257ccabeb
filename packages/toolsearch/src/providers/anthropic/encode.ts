import type { ToolText } from '../../tokens/tool-tokens.ts'
import { type ObjectSchema, objectSchema } from '../object-schema.ts'
import { PLACEHOLDER } from '../placeholder.ts'
import type { RequestPlan } from '../provider.ts'
import { type AnthropicMode, anthropicModes, MODE_BETAS, OWN_SEARCH } from './anthropic-modes.ts'
import { type AnthropicMessage, blocksOf, text } from './blocks.ts'
import { type AnthropicToolset, TOOLSET_BETA } from './mcp-toolset.ts'

/** The part of a request that has to do with tools. */
export interface AnthropicRequest<Message, Tool = AnthropicTool> {
  tools?: Tool[]
  tool_choice?: { type: 'tool'; name: string }
  // biome-ignore lint/suspicious/noExplicitAny: what the caller gave, with a text block after it
  system?: any
  /** Only in modes that need them: call `client.beta.messages` then. */
  betas?: string[]
  messages: Message[]
}

export type AnthropicTool =
  | {
      name: string
      description: string
      input_schema: ObjectSchema
      defer_loading?: true
      cache_control?: CacheControl
    }
  | { type: 'tool_search_tool_bm25_20251119'; name: 'tool_search_tool_bm25' }
  | { type: 'tool_search_tool_regex_20251119'; name: 'tool_search_tool_regex' }

export interface CacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

export interface EncodeOptions {
  readonly cacheControl?: CacheControl | undefined
  readonly toolsets: readonly AnthropicToolset[]
}

export function encode<Message extends AnthropicMessage>(
  plan: RequestPlan<Message>,
  { cacheControl, toolsets }: EncodeOptions,
): AnthropicRequest<Message> {
  const { mode, searchTool, callTool, deferred, toolChoice } = plan
  const listed = [searchTool, callTool, ...plan.tools].filter((tool) => tool !== undefined)
  const own = plan.canSearch || toolsets.length > 0 ? OWN_SEARCH[mode] : undefined
  const tools = [
    ...(own ? [own as AnthropicTool] : []),
    ...listed.map((tool, index) =>
      definition(tool, index === listed.length - 1 ? cacheControl : undefined),
    ),
    ...(deferred.length > 0 ? deferred : placeholders(plan)).map(deferredDefinition),
    // only the beta part of the client has a type for these
    ...(toolsets as readonly unknown[] as AnthropicTool[]),
  ]
  const betas = [...(MODE_BETAS[mode] ?? []), ...(toolsets.length > 0 ? [TOOLSET_BETA] : [])]
  const system = withAnnouncement(plan.system, plan.announcement)
  return {
    ...(system !== undefined && { system }),
    ...(tools.length > 0 && { tools }),
    ...(toolChoice !== undefined && { tool_choice: { type: 'tool', name: toolChoice } }),
    ...(betas.length > 0 && { betas }),
    messages: withNotice(plan.messages, plan.notice),
  }
}

function definition({ name, description, inputSchema }: ToolText, cacheControl?: CacheControl) {
  return {
    name,
    description,
    input_schema: objectSchema(inputSchema),
    ...(cacheControl && { cache_control: cacheControl }),
  }
}

const written = new WeakMap<ToolText, AnthropicTool>()

/** Thousands of these go into every request, so each is written once. */
function deferredDefinition(tool: ToolText): AnthropicTool {
  let entry = written.get(tool)
  if (entry === undefined) {
    entry = { ...definition(tool), defer_loading: true }
    written.set(tool, entry)
  }
  return entry
}

/**
 * The first deferred tool of a conversation changes the beginning of the prompt. One that is there
 * from the first request on keeps a server that connects late from doing so.
 */
function placeholders({ mode, canSearch }: RequestPlan<unknown>): ToolText[] {
  if (!canSearch || !anthropicModes[mode as AnthropicMode].declares) return []
  return [PLACEHOLDER]
}

function withAnnouncement(system: unknown, announcement: string | undefined): unknown {
  if (announcement === undefined) return system
  const before = typeof system === 'string' ? (system === '' ? [] : [text(system)]) : (system ?? [])
  return [...(before as readonly unknown[]), text(announcement)]
}

/** News stand at the end of what the user said last, where nothing before them changes. */
function withNotice<Message extends AnthropicMessage>(
  messages: readonly Message[],
  notice: string | undefined,
): Message[] {
  const at = messages.findLastIndex((message) => message.role === 'user')
  if (notice === undefined || at < 0) return [...messages]
  const message = messages[at]!
  return messages.with(at, { ...message, content: [...blocksOf(message), text(notice)] })
}
