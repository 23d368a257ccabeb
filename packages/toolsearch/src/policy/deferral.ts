import type { Loading, Tool } from '../catalogue/tool.ts'

/** Which tools may be hidden behind a search. A tool's own `loading` comes before all of this. */
export interface DeferralPolicy {
  /**
   * Tools sent up front whatever else is said.
   * @default []
   */
  alwaysOn?: readonly string[]
  /**
   * What holds for all tools of a source, such as `{ 'mcp:github': 'eager' }`.
   * @default {}
   */
  sources?: Readonly<Record<string, Loading>>
  /**
   * What `auto` means for tools of MCP servers.
   * @default 'deferred'
   */
  mcp?: 'eager' | 'deferred'
  /**
   * What `auto` means for all other tools.
   * @default 'deferred'
   */
  others?: 'eager' | 'deferred'
}

/** Whether a tool may be deferred, and whether somebody asked for it by name or source. */
export type Deferral = 'eager' | 'deferred' | 'deferred-on-request'

/**
 * Being always on beats everything; then the tool's own word, its source's, and the default.
 * What was deferred on request stays so even where there are too few tools to defer any other.
 */
export function deferralOf(
  tool: Tool,
  { alwaysOn = [], sources = {}, mcp = 'deferred', others = 'deferred' }: DeferralPolicy,
): Deferral {
  if (tool.loading === 'eager' || alwaysOn.includes(tool.name)) return 'eager'
  if (tool.loading === 'deferred') return 'deferred-on-request'
  const ofSource = sources[tool.source] ?? 'auto'
  if (ofSource === 'eager') return 'eager'
  if (ofSource === 'deferred') return 'deferred-on-request'
  return tool.isMcp ? mcp : others
}
