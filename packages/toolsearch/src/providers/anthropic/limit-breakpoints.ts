import { isObject } from '../../is-object.ts'

const MAX_BREAKPOINTS = 4

/**
 * The tools without the first cache breakpoints, so that the request has no more than the service
 * allows. A later breakpoint includes the earlier ones. Those in `others` belong to the caller and stay.
 */
export function limitBreakpoints<Tool extends object>(tools: Tool[], others: unknown): Tool[] {
  const marked = tools.filter(isMarked)
  if (marked.length === 0) return tools
  const excess = marked.length + breakpointsIn(others) - MAX_BREAKPOINTS
  if (excess <= 0) return tools
  const removed = new Set(marked.slice(0, excess))
  return tools.map((tool) => (removed.has(tool) ? withoutBreakpoint(tool) : tool))
}

/** Breakpoints in the results of tools would use up those of the request. */
export function withoutBreakpoint<Marked extends object>(block: Marked): Marked {
  if (!isMarked(block)) return block
  const { cache_control: _, ...rest } = block as Marked & { cache_control?: unknown }
  return rest as Marked
}

function isMarked(block: object): boolean {
  return Boolean((block as { cache_control?: unknown }).cache_control)
}

function breakpointsIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + breakpointsIn(each), 0)
  if (!isObject(value)) return 0
  return (isMarked(value) ? 1 : 0) + breakpointsIn(value.content)
}
