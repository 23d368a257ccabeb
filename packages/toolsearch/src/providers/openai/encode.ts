import type { Block } from '../../transcript/block.ts'
import { PLACEHOLDER_TOOL } from '../deferred-tools.ts'
import type { RequestPlan } from '../provider.ts'
import { deferredFunction, functionTool, type OpenaiFunction } from './function-tool.ts'
import { definedNames, developerText, type OpenaiItem } from './items.ts'
import { namespacesOf, type OpenaiNamespace } from './namespaces.ts'

/** The tool-related part of a request. */
export interface OpenaiRequest<Message> {
  instructions?: string
  tools?: OpenaiTool[]
  input: Message[]
  tool_choice?: OpenaiToolChoice
}

interface OpenaiToolChoice {
  type: 'function'
  name: string
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
  const extraTools = plan.extraTools as readonly unknown[] as OpenaiTool[]
  const tools = [
    ...extraTools,
    ...searchTools(plan),
    ...plan.tools.map(functionTool),
    ...deferredTools(plan),
  ]
  const instructions = [plan.system, plan.announcement]
    .filter((text) => typeof text === 'string' && text !== '')
    .join('\n\n')
  const { toolChoice } = plan
  return {
    ...(instructions !== '' && { instructions }),
    ...(tools.length > 0 && { tools }),
    input: withNotice(plan),
    ...(toolChoice !== undefined && { tool_choice: choiceOf(toolChoice, extraTools) }),
  }
}

function withNotice<Message extends OpenaiItem>({
  messages,
  notice,
}: RequestPlan<Message>): Message[] {
  return notice === undefined ? [...messages] : withItem(messages, developerText(notice))
}

/** Appends an item. A trigger for a compaction must stay the last one. */
export function withItem<Message extends OpenaiItem>(
  messages: readonly Message[],
  item: Block,
): Message[] {
  const isTriggered = messages.at(-1)?.type === 'compaction_trigger'
  const at = messages.length - (isTriggered ? 1 : 0)
  return messages.toSpliced(at, 0, item as Message)
}

/** Only functions, custom tools and MCP servers have names. Others are referred to by their type. */
export function extraNames(tool: Block): string[] {
  const { type, name, server_label } = tool
  return type === 'namespace' ? definedNames(tool) : [String(name ?? server_label ?? type)]
}

function choiceOf(name: string, extraTools: readonly object[]): OpenaiToolChoice {
  const extra = (extraTools as readonly Block[]).find((tool) => extraNames(tool).includes(name))
  const { type = 'function', server_label } = extra ?? {}
  const isNamed = type === 'function' || type === 'custom'
  return {
    type: type as 'function',
    // Only the client's types include the choice of other tools.
    ...(isNamed && { name }),
    ...(server_label !== undefined && { server_label }),
  } as OpenaiToolChoice
}

function searchTools({ mode, canSearch, searchTool, callTool }: RequestPlan<unknown>) {
  if (mode.search === 'provider') return canSearch ? [{ type: 'tool_search' } as const] : []
  if (mode.reveal !== 'definition' || searchTool === undefined) {
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
  if (mode.search !== 'provider' || !canSearch) return []
  return deferred.length > 0 ? namespacesOf(deferred) : [deferredFunction(PLACEHOLDER_TOOL)]
}
