import type { OpenaiRequest } from './encode.ts'

export interface AllowedTools {
  type: 'allowed_tools'
  mode: 'auto' | 'required'
  tools: { type: 'function'; name: string }[]
}

/**
 * A `tool_choice` that leaves the model only some of its tools without changing the list. The
 * service refuses one that names a deferred tool, a tool of a namespace or the search itself, so
 * only tools that the request lists in full are named; undefined if there is none.
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
  const wanted = new Set(names)
  const allowed = tools.flatMap((tool) =>
    tool.type === 'function' && tool.defer_loading !== true && wanted.has(tool.name)
      ? [{ type: 'function' as const, name: tool.name }]
      : [],
  )
  return allowed.length > 0 ? { type: 'allowed_tools', mode, tools: allowed } : undefined
}
