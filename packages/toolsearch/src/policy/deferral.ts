import type { Loading, Tool } from '../catalogue/tool.ts'

/** Which tools can be deferred. A tool's own `loading` overrides all settings except `alwaysOn`. */
export interface DeferralPolicy {
  /**
   * Tools that are never deferred.
   * @default []
   */
  alwaysOn?: readonly string[]
  /**
   * The setting for all tools of a source, such as `{ 'mcp:github': 'eager' }`.
   * @default {}
   */
  sources?: Readonly<Record<string, Loading>>
  /**
   * The meaning of `auto` for tools of MCP servers.
   * @default 'deferred'
   */
  mcp?: 'eager' | 'deferred'
  /**
   * The meaning of `auto` for all other tools.
   * @default 'deferred'
   */
  others?: 'eager' | 'deferred'
}

/** Whether a tool can be deferred, and whether that is independent of when deferral starts. */
export type Deferral = 'eager' | 'deferred' | 'always-deferred'

/**
 * In order of precedence: always on, the tool's own `loading`, its source's setting, the default.
 * An `always-deferred` tool is deferred even if there are too few tools to activate deferral.
 */
export function deferralOf(
  tool: Tool,
  { alwaysOn = [], sources = {}, mcp = 'deferred', others = 'deferred' }: DeferralPolicy,
): Deferral {
  if (tool.loading === 'eager' || alwaysOn.includes(tool.name)) return 'eager'
  if (tool.loading === 'deferred') return 'always-deferred'
  const ofSource = sources[tool.source] ?? 'auto'
  if (ofSource === 'eager') return 'eager'
  if (ofSource === 'deferred') return 'always-deferred'
  return tool.isMcp ? mcp : others
}
