import type { ToolText } from '../tokens/tool-tokens.ts'
import { ToolSearchError } from '../tool-search-error.ts'

/**
 * Keeps a tool list within what a provider takes. Those named in `giving` leave, the first ones
 * first: the model can find them again.
 *
 * @throws TooManyToolsError when even the tools that are never deferred are too many
 */
export function fitToolLimit(
  tools: readonly ToolText[],
  giving: readonly string[],
  limit: number,
): readonly ToolText[] {
  const over = tools.length - limit
  if (over <= 0) return tools
  const listed = new Set(tools.map((tool) => tool.name))
  const leaving = new Set(giving.filter((name) => listed.has(name)).slice(0, over))
  if (leaving.size < over) throw new TooManyToolsError(tools.length, limit)
  return tools.filter((tool) => !leaving.has(tool.name))
}

/** More tools are sent in full than the provider takes. */
export class TooManyToolsError extends ToolSearchError {
  override readonly name = 'TooManyToolsError'
  readonly code = 'too_many_tools'

  constructor(count: number, limit: number) {
    super(
      `${count} tools would be sent in full and the provider takes ${limit}. ` +
        'Let deferral begin earlier (activation), or mark fewer tools as eager.',
    )
  }
}
