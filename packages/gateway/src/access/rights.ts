import type { JudgedTool } from './access-rules.ts'

/**
 * What one caller may use. Decided on the names that servers use, never on the names that agents see:
 * overrides and prefixes must not change a decision.
 */
export interface Rights {
  /** Callers with the same key have the same rights. Changes whenever the rules do. */
  readonly key: string
  /**
   * Whether the caller may know and use a tool: list, find, describe and call it. A tool that may be
   * called with some arguments only is allowed here; see `call`.
   */
  tool(tool: JudgedTool): Decision
  /** Whether the caller may call a tool with these arguments. Never allows more than `tool`. */
  call(tool: JudgedTool, args: Readonly<Record<string, unknown>>): Decision
  /** Whether the caller may know and read a resource, or a resource template. */
  resource(resource: { readonly server: string; readonly uri: string }): Decision
  prompt(prompt: { readonly server: string; readonly name: string }): Decision
  /** Whether the caller may find and read a skill. `name` is its path on the server. */
  skill(skill: { readonly server: string; readonly name: string }): Decision
  /**
   * Whether the caller may see log messages and instructions of a server. They can mention
   * anything, so this is only allowed to callers who may use everything of the server.
   */
  server(server: string): Decision
  /**
   * Whether the caller could be allowed anything of a server, or anything of one kind, whatever the
   * server has. If not, not even its name may be known.
   */
  reaches(server: string, kind?: ReachedKind): boolean
}

export type ReachedKind = 'tool' | 'resource' | 'prompt' | 'skill'

export const REACHED_KINDS: readonly ReachedKind[] = ['tool', 'resource', 'prompt', 'skill']

export interface Decision {
  readonly isAllowed: boolean
  /**
   * Which rule decided, such as `toolsearch.access.rules[2].deny[0]`, for administrators and the audit
   * log. A caller must never see it: it can name what is hidden.
   */
  readonly reason: string
  /**
   * Set if a tool may be called with some arguments only: the alternatives, for administrators.
   * @example ['project is "SUP" or "WEB-*" (toolsearch.access.rules[3].arguments)']
   */
  readonly withArguments?: readonly string[]
}

const EVERYTHING: Decision = { isAllowed: true, reason: 'no access rules' }

/** The rights of everybody while there are no rules. */
export const ALL_RIGHTS: Rights = {
  key: 'all',
  tool: () => EVERYTHING,
  call: () => EVERYTHING,
  resource: () => EVERYTHING,
  prompt: () => EVERYTHING,
  skill: () => EVERYTHING,
  server: () => EVERYTHING,
  reaches: () => true,
}
