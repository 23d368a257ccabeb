import type { WireTool } from './responses-body.ts'

/** Whether a tool, or one in the namespace it is, waits for a search. */
export function isDeferred({ defer_loading, tools = [] }: WireTool): boolean {
  return defer_loading === true || tools.some(isDeferred)
}
