import type { Session } from '../../session/session.ts'
import { type AdapterOptions, createAdapter, type ProviderAdapter } from '../adapter.ts'
import type { Provider, RepairContext } from '../provider.ts'
import {
  type AnthropicMode,
  anthropicModes,
  defaultMode,
  modeRefusal,
  OWN_SEARCH,
} from './anthropic-modes.ts'
import type { AnthropicMessage } from './blocks.ts'
import { collect } from './collect.ts'
import { type AnthropicReply, decode } from './decode.ts'
import { type AnthropicRequest, type AnthropicTool, type CacheControl, encode } from './encode.ts'
import type { AnthropicToolset } from './mcp-toolset.ts'
import { render } from './render.ts'
import { repair } from './repair.ts'
import { revealed } from './revealed.ts'

export interface AnthropicOptions extends AdapterOptions {
  /** @default 'reference' where the model knows it, otherwise 'bridge' */
  mode?: AnthropicMode | undefined
  /** Put on the last tool that is listed in full, never on a deferred one. */
  cacheControl?: CacheControl | undefined
  /**
   * Servers that Anthropic's MCP connector brings; their tools are found by Anthropic's own search,
   * so the mode must be a native one.
   * @default []
   */
  toolsets?: readonly AnthropicToolset[]
}

/**
 * A conversation over Anthropic's Messages API, or over an endpoint that speaks it.
 *
 * @throws UnknownModeError, UnsupportedModeError
 */
export function anthropic<Message extends AnthropicMessage = Required<AnthropicMessage>>(
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
  const wasOurs = (name: string) => session.loaded.includes(name)
  return createAdapter(session, anthropicProvider<Message>(options, wasOurs), options)
}

function anthropicProvider<Message extends AnthropicMessage>(
  { cacheControl, toolsets = [] }: AnthropicOptions,
  wasOurs: (name: string) => boolean,
): Provider<Message, AnthropicRequest<Message>, AnthropicReply> {
  return {
    name: 'anthropic',
    modes: anthropicModes,
    acceptsName: /^[a-zA-Z0-9_-]{1,128}$/,
    maxTools: 10_000,
    defaultMode: (model) => (toolsets.length > 0 ? 'native' : defaultMode(model)),
    refusal(mode, model) {
      if (toolsets.length > 0 && anthropicModes[mode as AnthropicMode].search !== 'theirs') {
        return 'tools of the MCP connector can only be found by a native search'
      }
      return modeRefusal(mode, model)
    },
    encode: (plan) => encode(plan, { cacheControl, toolsets }),
    decode,
    render: (results, mode) => render(results, mode) as Message[],
    revealed,
    repair: (messages, context) =>
      repair(messages, toolsets.length > 0 ? withConnector(context, wasOurs) : context),
    collect,
  }
}

/** A name that never was one of ours is that of a tool the connector brings. */
function withConnector(context: RepairContext, wasOurs: (name: string) => boolean): RepairContext {
  const { mode, isDeferred, definition } = context
  return {
    ...context,
    hasOwnSearch: OWN_SEARCH[mode] !== undefined,
    isDeferred: (name) => isDeferred(name) || (definition(name) === undefined && !wasOurs(name)),
  }
}

export type { AnthropicMode } from './anthropic-modes.ts'
export type { AnthropicMessage } from './blocks.ts'
export type { AnthropicReply } from './decode.ts'
export type { AnthropicRequest, AnthropicTool, CacheControl } from './encode.ts'
export { type AnthropicToolset, type McpToolsetOptions, mcpToolset } from './mcp-toolset.ts'
export { minimax } from './minimax.ts'
