import { PLACEHOLDER_TOOL } from '../deferred-tools.ts'
import type { RequestPlan } from '../provider.ts'
import { deferredFunction, functionTool, type OpenaiFunction } from './function-tool.ts'
import { developerText, type OpenaiItem } from './items.ts'
import { namespacesOf, type OpenaiNamespace } from './namespaces.ts'

/** The tool-related part of a request. */
export interface OpenaiRequest<Message> {
  instructions?: string
  tools?: OpenaiTool[]
  input: Message[]
  tool_choice?: { type: 'function'; name: string }
}

export type OpenaiTool = OpenaiFunction | OpenaiNamespace | OpenaiToolSearch

export interface OpenaiToolSearch {
  type: 'tool_search'
  execution?: 'client'
  description?: string
  parameters?: { [keyword: string]: unknown }
}

/** Fields that stay the same precede the input, and fields that change per request follow it. */
export function encode<Message extends OpenaiItem>(
  plan: RequestPlan<Message>,
): OpenaiRequest<Message> {
  const tools = [...searchTools(plan), ...plan.tools.map(functionTool), ...deferredTools(plan)]
  const instructions = [plan.system, plan.announcement]
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n\n')
  const { messages, notice, toolChoice } = plan
  return {
    ...(instructions !== '' && { instructions }),
    ...(tools.length > 0 && { tools }),
    input: notice === undefined ? [...messages] : [...messages, developerText(notice) as Message],
    ...(toolChoice !== undefined && { tool_choice: { type: 'function', name: toolChoice } }),
  }
}

function searchTools({ mode, canSearch, searchTool, callTool }: RequestPlan<unknown>) {
  if (mode === 'hosted') return canSearch ? [{ type: 'tool_search' } as const] : []
  if (mode !== 'client' || searchTool === undefined) {
    return [searchTool, callTool].filter((tool) => tool !== undefined).map(functionTool)
  }
  const { description, inputSchema } = searchTool
  return [
    {
      type: 'tool_search',
      execution: 'client',
      description,
      parameters: inputSchema,
    } as const,
  ]
}

/** The service rejects its own search without a deferred tool, and deferred tools without it. */
function deferredTools({ mode, canSearch, deferred }: RequestPlan<unknown>): OpenaiTool[] {
  if (mode !== 'hosted' || !canSearch) return []
  return deferred.length > 0 ? namespacesOf(deferred) : [deferredFunction(PLACEHOLDER_TOOL)]
}
