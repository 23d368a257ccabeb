import type { OpenaiRequest } from './encode.ts'

export interface AllowedTools {
  type: 'allowed_tools'
  mode: 'auto' | 'required'
  tools: { type: 'function'; name: string }[]
}

/**
 * A `tool_choice` that restricts the model to some tools without changing the tool list. The service
 * rejects deferred tools, tools in namespaces and the search itself there, so only tools that the
 * request lists in full are included. Returns undefined if none of the names is listed.
 *
 * @example
 * const tool_choice = allowedTools(request, ['read_file'])
 * await client.responses.create({ model, ...request, ...(tool_choice && { tool_choice }) })
 */
export function allowedTools(
  { tools = [] }: Pick<OpenaiRequest<unknown>, 'tools'>,
  names: readonly string[],
  mode: AllowedTools['mode'] = 'auto',
): AllowedTools | undefined {
  const included = new Set(names)
  const allowed = tools.flatMap((tool) =>
    tool.type === 'function' && tool.defer_loading !== true && included.has(tool.name)
      ? [{ type: 'function' as const, name: tool.name }]
      : [],
  )
  return allowed.length > 0 ? { type: 'allowed_tools', mode, tools: allowed } : undefined
}
