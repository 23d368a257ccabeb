import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { type ChatBody, isDeferred, type Message } from './chat-body.ts'

/** How an endpoint leaves tools out of the prompt until the model has found them. */
export type ChatDeferral = 'reference' | 'hosted'

/** The search that OpenRouter runs itself. */
const HOSTED_SEARCH = 'openrouter:tool_search'

const TOOL_TYPES = ['function', 'custom']

/** Checks the types of tools, the search tool, and references to deferred tools. */
export function checkDeferral(
  deferral: ChatDeferral | undefined,
): (body: ChatBody) => Problem | undefined {
  const types = deferral === 'hosted' ? [...TOOL_TYPES, HOSTED_SEARCH] : TOOL_TYPES
  return (body) =>
    checkTypes(body, types) ??
    (deferral === 'hosted' ? checkHosted(body) : undefined) ??
    checkReferences(body, deferral)
}

function checkTypes({ tools = [] }: ChatBody, types: readonly string[]): Problem | undefined {
  const index = tools.findIndex(({ type }) => !types.includes(type))
  if (index < 0) return undefined
  return invalid(
    `Invalid value: '${tools[index]!.type}'. Supported values are: ${types.join(', ')}.`,
    `tools[${index}].type`,
  )
}

/** Deferral needs the search, the search is never deferred, and one tool must stay visible. */
function checkHosted({ tools = [] }: ChatBody): Problem | undefined {
  const search = tools.findIndex(({ type }) => type === HOSTED_SEARCH)
  const deferred = tools.findIndex(isDeferred)
  if (search >= 0 && isDeferred(tools[search]!)) {
    return invalid(`${HOSTED_SEARCH} cannot be deferred.`, `tools[${search}].defer_loading`)
  }
  if (deferred >= 0 && search < 0) {
    return invalid(`defer_loading requires the ${HOSTED_SEARCH} tool.`, `tools[${deferred}]`)
  }
  if (tools.length > 0 && tools.every(isDeferred)) {
    return invalid('At least one tool must remain non-deferred.', 'tools')
  }
  return undefined
}

/**
 * A reference must name a tool of the request. A result with references consists of nothing else:
 * chat templates expand the references of a list and leave out its other parts.
 */
function checkReferences(
  { tools = [], messages = [] }: ChatBody,
  deferral: ChatDeferral | undefined,
): Problem | undefined {
  const names = new Set(tools.map((tool) => tool.function?.name))
  for (const [index, message] of messages.entries()) {
    const references = referencesIn(message)
    if (references.length === 0) continue
    const param = `messages[${index}].content`
    if (deferral !== 'reference' || message.role !== 'tool') {
      return invalid("Invalid value: 'tool_reference'.", `${param}[0].type`)
    }
    if (references.length < (message.content as unknown[]).length) {
      return invalid('A result with tool_reference parts must contain nothing else.', param)
    }
    const unknown = references.find((name) => !names.has(name))
    if (unknown !== undefined) {
      return invalid(`tool_reference '${unknown}' not found in available tools.`, param)
    }
  }
  return undefined
}

/** The names of the tools that a message refers to. */
export function referencesIn({ content }: Message): string[] {
  if (!Array.isArray(content)) return []
  return content.flatMap((part: { type?: unknown; name?: unknown } | null) =>
    part?.type === 'tool_reference' ? [String(part.name)] : [],
  )
}

function invalid(message: string, param: string): Problem {
  return openaiProblem(400, message, { param, code: 'invalid_value' })
}
