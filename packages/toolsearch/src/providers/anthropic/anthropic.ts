import { isObject } from '../../is-object.ts'
import { check, type Shape } from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import { createAdapter } from '../adapter.ts'
import { checkAdapterOptions } from '../check-adapter-options.ts'
import { serviceErrorText } from '../endpoint-modes.ts'
import type { Provider, ReconcileContext } from '../provider.ts'
import type { AdapterOptions, ProviderAdapter } from '../provider-adapter.ts'
import {
  type AnthropicMode,
  anthropicModes,
  defaultMode,
  staleThinking,
  unsupportedReason,
} from './anthropic-modes.ts'
import { ACCEPTED_NAME, type AnthropicMessage } from './blocks.ts'
import { collect } from './collect.ts'
import { type AnthropicReply, decode } from './decode.ts'
import { withoutThinking } from './drop-thinking.ts'
import { type AnthropicRequest, type AnthropicTool, type CacheControl, encode } from './encode.ts'
import type { AnthropicToolset } from './mcp-toolset.ts'
import { read, recognises } from './read.ts'
import { reconcile } from './reconcile.ts'
import { render, toolChanges } from './render.ts'
import { repair } from './repair.ts'

export interface AnthropicOptions extends AdapterOptions {
  /** @default the mode of the preset, or 'reference' if the model supports it, otherwise 'bridge' */
  mode?: AnthropicMode | undefined
  /**
   * Cache control for the last tool that is listed in full, or for Anthropic's own search tool if it is
   * the only one. Deferred tools never get it.
   * @default none
   */
  cacheControl?: CacheControl | undefined
  /**
   * Servers that Anthropic's MCP connector connects to. Only Anthropic's own search finds their
   * tools, so this requires a native mode.
   * @default []
   */
  toolsets?: readonly AnthropicToolset[]
}

const OWN_OPTIONS: Shape = {
  cacheControl: check(
    (value) => (value as CacheControl | null)?.type === 'ephemeral',
    "use { type: 'ephemeral' }",
  ),
  toolsets: check(Array.isArray, 'use an array of results of mcpToolset()'),
}

const checkSystem = check(
  (value) => typeof value === 'string' || (Array.isArray(value) && value.every(isObject)),
  'use a string or an array of text blocks',
)

/**
 * An adapter for Anthropic's Messages API and compatible endpoints.
 *
 * @throws InvalidOptionError, UnknownModeError, UnsupportedModeError
 */
// biome-ignore lint/suspicious/noExplicitAny: requests with toolsets need beta messages, whose types only the SDK has
export function anthropic<Message extends AnthropicMessage = any>(
  session: Session,
  options: AnthropicOptions & { toolsets: readonly AnthropicToolset[] },
): ProviderAdapter<
  Message,
  AnthropicRequest<Message, AnthropicTool | AnthropicToolset>,
  AnthropicReply
>
export function anthropic<Message extends AnthropicMessage = Required<AnthropicMessage>>(
  session: Session,
  options?: AnthropicOptions,
): ProviderAdapter<Message, AnthropicRequest<Message>, AnthropicReply>
export function anthropic<Message extends AnthropicMessage>(
  session: Session,
  options: AnthropicOptions = {},
): ProviderAdapter<Message, AnthropicRequest<Message>, AnthropicReply> {
  checkAdapterOptions(options, OWN_OPTIONS)
  const wasLoaded = (name: string) => session.loaded.includes(name)
  return createAdapter(session, anthropicProvider<Message>(options, wasLoaded), options)
}

/**
 * Options for MiniMax's Anthropic-compatible endpoint. Its models support neither deferred tools nor
 * references, so the default mode is `bridge`, or the one of the preset.
 */
export const minimax: { readonly model: string } = Object.freeze({ model: 'MiniMax-M2' })

function anthropicProvider<Message extends AnthropicMessage>(
  { cacheControl, model, toolsets = [] }: AnthropicOptions,
  wasLoaded: (name: string) => boolean,
): Provider<Message, AnthropicRequest<Message>, AnthropicReply> {
  const stale = staleThinking(model)
  return {
    name: 'anthropic',
    modes: anthropicModes,
    acceptsName: ACCEPTED_NAME,
    recognises,
    read,
    maxTools: 10_000,
    maxDeclared: 10_000,
    forcesDeferred: true,
    defaultMode: (model) => (toolsets.length > 0 ? 'native' : defaultMode(model)),
    unsupportedReason(mode, model) {
      if (toolsets.length > 0 && anthropicModes[mode as AnthropicMode].search !== 'provider') {
        return "only Anthropic's own search finds tools of the MCP connector"
      }
      return unsupportedReason(mode, model)
    },
    mayKnowTool: (name) => toolsets.length > 0 || name.startsWith('tool_search_tool_'),
    extraNames: ({ name }) => (typeof name === 'string' ? [name] : []),
    isNativeResult: ({ type }) => type === 'tool_result',
    checkSystem,
    encode: (plan) => encode(plan, { cacheControl, toolsets }),
    decode,
    render: (results, mode, onDropped) => render(results, mode, onDropped) as Message[],
    repair: (entries, context) => repair(entries, context, stale),
    reconcile: (entries, context) =>
      reconcile(entries, toolsets.length > 0 ? withConnector(context, wasLoaded) : context, stale),
    appendTools: (messages, tools) => [...messages, toolChanges(tools) as Message],
    // A turn that ends with a reply was paused, and the next reply continues it.
    acceptsNotice: (entries) => entries.at(-1)?.role !== 'assistant',
    rejectsReasoning: (error) => REJECTED_THINKING.test(serviceErrorText(error)),
    withoutReasoning: withoutThinking,
    collect,
  }
}

/** Thinking of another conversation, or of this one before an earlier part of it changed. */
const REJECTED_THINKING = /invalid [`'"]?signature[`'"]? in [`'"]?(?:redacted_)?thinking/i

/** Treats an unknown name that was never loaded as a tool of the MCP connector. */
function withConnector(
  context: ReconcileContext,
  wasLoaded: (name: string) => boolean,
): ReconcileContext {
  const { mode, isDeferred, definition } = context
  return {
    ...context,
    hasProviderSearch: mode.search === 'provider',
    isDeferred: (name) => isDeferred(name) || (definition(name) === undefined && !wasLoaded(name)),
  }
}

export type { AnthropicMode } from './anthropic-modes.ts'
export type { AnthropicMessage } from './blocks.ts'
export type { AnthropicReply } from './decode.ts'
export type { AnthropicRequest, AnthropicTool, CacheControl } from './encode.ts'
export { type AnthropicToolset, type McpToolsetOptions, mcpToolset } from './mcp-toolset.ts'
