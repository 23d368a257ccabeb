import type { IncomingHttpHeaders } from 'node:http'
import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { betasOf } from './check-headers.ts'
import { blocksOf, type MessagesBody, placedBlocks } from './messages-body.ts'

const REQUIRED = ['model', 'max_tokens', 'messages']
const TOP_LEVEL =
  'cache_control container diagnostics inference_geo max_tokens messages metadata model output_config service_tier speed stop_sequences stream system temperature thinking tool_choice tools top_k top_p'
const TOP_LEVEL_IN_BETA =
  'compaction context_management fallback_credit_token fallbacks mcp_servers output_format thread'
const MESSAGE = 'role content'
const SYSTEM_MESSAGE = 'role content clear_at output_config'
const CUSTOM_TOOL =
  'type name description input_schema defer_loading cache_control strict input_examples eager_input_streaming allowed_callers'
/** Only blocks related to tools. Other blocks are not checked. */
const BLOCKS: Record<string, string> = {
  text: 'type text cache_control citations',
  tool_use: 'type id name input cache_control caller toolset_name',
  tool_result: 'type tool_use_id content is_error cache_control toolset_name',
  tool_reference: 'type tool_name cache_control',
  server_tool_use: 'type id name input cache_control caller',
  tool_search_tool_result: 'type tool_use_id content cache_control',
  tool_addition: 'type tool cache_control',
  tool_removal: 'type tool cache_control',
}

/** Every object must have its required fields and no unknown ones. */
export function checkFields(body: MessagesBody, headers: IncomingHttpHeaders): Problem | undefined {
  const missing = REQUIRED.find((field) => !(field in body))
  if (missing) return anthropicProblem(400, `${missing}: Field required`)
  for (const list of ['messages', 'tools'] as const) {
    if (body[list] !== undefined && !Array.isArray(body[list])) {
      return anthropicProblem(400, `${list}: Input should be a valid list`)
    }
  }
  const extra = extraFields(body, headers)[0]
  if (extra === undefined) return undefined
  return anthropicProblem(400, `${extra}: Extra inputs are not permitted`)
}

function extraFields(body: MessagesBody, headers: IncomingHttpHeaders): string[] {
  const { messages = [], tools = [] } = body
  const usesBeta = betasOf(headers).length > 0
  const topLevel = usesBeta ? `${TOP_LEVEL} ${TOP_LEVEL_IN_BETA}` : TOP_LEVEL
  return [
    ...extras(body, topLevel),
    ...messages.flatMap((message, index) =>
      extras(message, message.role === 'system' ? SYSTEM_MESSAGE : MESSAGE, `messages.${index}`),
    ),
    ...tools.flatMap((tool, index) =>
      tool.type && tool.type !== 'custom' ? [] : extras(tool, CUSTOM_TOOL, `tools.${index}.custom`),
    ),
    ...placedBlocks(body).flatMap(({ block, path }) => [
      ...blockExtras(block, path),
      ...(block.type === 'tool_result' ? blocksOf(block.content) : []).flatMap((inner, index) =>
        blockExtras(inner, `${path}.tool_result.content.${index}`),
      ),
    ]),
  ]
}

function blockExtras(block: { type: string }, path: string): string[] {
  const allowed = BLOCKS[block.type]
  return allowed === undefined ? [] : extras(block, allowed, `${path}.${block.type}`)
}

function extras(object: object, allowed: string, path?: string): string[] {
  const fields = new Set(allowed.split(' '))
  return Object.keys(object)
    .filter((field) => !fields.has(field))
    .map((field) => (path === undefined ? field : `${path}.${field}`))
}
