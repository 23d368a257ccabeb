import type { JsonObject } from '../../protocol/json-object.ts'
import type { McpTool } from '../../protocol/mcp-tool.ts'
import type { ScriptThreads } from '../../scripts/script-threads.ts'
import type { AwaitServer } from '../await-server.ts'
import type { CallOptions } from '../gateway-view.ts'
import type { CallResult, LargeResults } from '../large-results.ts'
import type { SharedTools } from '../shared-tools.ts'
import type { SkillFiles } from '../skill-files.ts'
import type { ToolListing } from '../tool-listing.ts'
import type { UpstreamSet } from '../upstream-set.ts'
import type { UseFollower } from '../use-follower.ts'
import type { ViewConfig } from '../view-config.ts'
import type { VisibleTools } from '../visible-tools.ts'

/** A tool of the gateway itself: how agents see it, and how a call of it is answered. */
export interface MetaTool {
  /** Reserved in every mode: a server's tool of the same name always gets its server's prefix. */
  readonly name: string
  /** Undefined if the configuration does not offer it. Must not change with the servers' tools. */
  definition(offer: MetaToolOffer): McpTool | undefined
  /** Answers a call, even if the tool is not listed. Rejects only if a request to a server does. */
  answer(call: ToolCall, options: CallOptions, context: CallContext): Promise<CallResult>
}

interface MetaToolOffer {
  readonly config: ViewConfig
  /** The servers whose tools can be found, for the model. */
  readonly directory: string
}

/** The params of a call. `arguments` has been defaulted but not checked. */
export type ToolCall = JsonObject & { readonly name: string; readonly arguments: JsonObject }

/** What an answer can use. Contains only what the callers of one view may use. */
export interface CallContext {
  readonly shared: SharedTools
  readonly tools: VisibleTools
  readonly skills: SkillFiles
  readonly listing: ToolListing
  readonly servers: UpstreamSet
  readonly results: LargeResults
  /** Where scripts run. */
  readonly scripts: ScriptThreads
  readonly config: () => ViewConfig
  readonly awaitServer: AwaitServer
  /** Learns from searches. @default nothing is learned */
  readonly uses?: UseFollower | undefined
  /** Calls a server's tool, unless the call cannot succeed. */
  readonly runTool: RunTool
  /** Tells administrators that somebody asked for a tool that exists, but not for this caller. */
  reportHidden(name: string, options: CallOptions): void
}

/** @param isDirect whether the caller used the name of the tool instead of a meta tool */
export type RunTool = (
  call: ToolCall,
  options: CallOptions,
  isDirect: boolean,
) => Promise<CallResult>

/** Annotations of a meta tool that only looks things up in the gateway. */
export const READ_ONLY = { readOnlyHint: true, openWorldHint: false }

/** The definition of a meta tool, with what all of them have in common. */
export function metaToolDefinition(
  name: string,
  description: string,
  input: { readonly properties: object; readonly required: readonly string[] },
  annotations: object,
): McpTool {
  return {
    name,
    description,
    inputSchema: { type: 'object', ...input, additionalProperties: false },
    annotations,
    // Clients with a tool search of their own would otherwise defer these tools as well.
    _meta: { 'anthropic/alwaysLoad': true },
  }
}
