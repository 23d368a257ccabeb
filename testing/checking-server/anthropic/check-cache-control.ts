import type { Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import type { MessagesBody } from './messages-body.ts'

const MAX_BREAKPOINTS = 4

/** A request can have four cache breakpoints, in tools, system prompt and messages together. */
export function checkCacheControl({ tools, system, messages }: MessagesBody): Problem | undefined {
  const blocks = (messages ?? []).map(({ content }) => content)
  const found = [tools, system, blocks].reduce<number>((sum, part) => sum + breakpointsIn(part), 0)
  if (found <= MAX_BREAKPOINTS) return undefined
  return anthropicProblem(
    400,
    `A maximum of ${MAX_BREAKPOINTS} blocks with cache_control may be provided. Found ${found}.`,
  )
}

function breakpointsIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + breakpointsIn(each), 0)
  const { cache_control, content } = value as { cache_control?: unknown; content?: unknown }
  return (cache_control ? 1 : 0) + breakpointsIn(content)
}
