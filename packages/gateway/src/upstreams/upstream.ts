import type { Limits } from '../config/gateway-config.ts'
import type { JsonObject } from '../protocol/json-object.ts'
import type { McpTool } from '../protocol/mcp-tool.ts'
import type { RequestOptions } from '../protocol/request-options.ts'
import type { Era } from '../protocol/versions.ts'
import type { SkillEntry } from '../skills/skill-entry.ts'

/** A server that the gateway calls. Exists from the start, even if the server cannot be reached. */
export interface Upstream {
  readonly name: string
  readonly status: UpstreamStatus
  /** Its tools: live, or cached from an earlier run. */
  readonly tools: readonly McpTool[]
  /** Its skills: live, or cached from an earlier run. The same list until it changes. */
  readonly skills: readonly SkillEntry[]
  /** Resolves when the skills are as the connected server has them, or could not be read. Never rejects. */
  skillsRead?(): Promise<void>
  /** The Markdown of a skill, if it is known without a request. */
  skillText?(uri: string): string | undefined
  /**
   * When an earlier run read the tools that this one began with, in milliseconds since 1970. Undefined if
   * none were cached, also after the server has connected.
   */
  readonly cachedAt?: number | undefined
  /** The server's instructions for using its tools, if it has any. */
  readonly instructions: string | undefined
  /** The server's capabilities as of the last connection. */
  readonly capabilities: JsonObject
  /** Connects if necessary. Never rejects: `status` shows the outcome. */
  connect(options?: ConnectOptions): Promise<void>
  /**
   * Sends a request and returns its result unchanged. Connects first if necessary.
   * Rejects with UpstreamError, at the latest when the request times out.
   */
  request(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>
  /**
   * Subscribes to changes to a resource, again after each reconnect. Changes arrive as notifications.
   * Connects first if necessary; rejects with UpstreamError if the server refuses.
   */
  watchResource(uri: string): Promise<void>
  unwatchResource(uri: string): Promise<void>
  /** Sets the minimum log level of a legacy server, again after each reconnect. */
  setLogLevel(level: string): void
  /** Reads the tools of a connected server again: later, if that has happened often. Never rejects. */
  refreshTools(): Promise<void>
  /** Takes note of why a list besides the tools is incomplete, if it is. The status shows it. */
  noteList?(key: string, warning: string | undefined): void
  /** Applies new limits, starting with the next request. */
  setLimits(limits: Limits): void
  /** Ends the connection and the server's process. Never rejects. */
  close(): Promise<void>
}

export interface ConnectOptions {
  /** Whether a client waits for the server, so that it should start before others. @default false */
  readonly isUrgent?: boolean
}

/**
 * - `idle`: tools loaded from cache, starts on first use
 * - `connecting`, `ready`
 * - `failed`: the gateway retries automatically
 * - `needs-sign-in`: the server rejects our credentials
 */
export type UpstreamState = 'idle' | 'connecting' | 'ready' | 'failed' | 'needs-sign-in'

interface UpstreamStatus {
  readonly state: UpstreamState
  /** The reason for the state in a sentence for people, with the fix if it is known. */
  readonly detail?: string
  /** True until the first attempt to connect has ended, unless its tools are cached. */
  readonly isPending?: boolean
  /** The last lines that the server's process wrote to stderr. */
  readonly logOutput: readonly string[]
  readonly era?: Era
  /** The number of lines on stdout that were not messages. */
  readonly strayLines: number
  /** The ID of the server's process, if it has one. */
  readonly pid?: number
  /** Tools of the server that cannot be served. */
  readonly refused: readonly RefusedTool[]
}

/** A tool that cannot be served, and why. */
export interface RefusedTool {
  readonly tool: string
  readonly reason: string
  /** It is about a skill. @default false */
  readonly isSkill?: boolean
}
