import { text } from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import { createAdapter } from '../adapter.ts'
import { checkAdapterOptions } from '../check-adapter-options.ts'
import type { Provider } from '../provider.ts'
import type { AdapterOptions, ProviderAdapter } from '../provider-adapter.ts'
import { isClientOutput } from './call-types.ts'
import { collect } from './collect.ts'
import { decode, type OpenaiReply } from './decode.ts'
import { encode, extraNames, type OpenaiRequest, withItem } from './encode.ts'
import { additionalTools } from './function-tool.ts'
import { ACCEPTED_NAME, type OpenaiItem } from './items.ts'
import { defaultMode, type OpenaiMode, openaiModes, unsupportedReason } from './openai-modes.ts'
import { read, recognises } from './read.ts'
import { reconcile } from './reconcile.ts'
import { render } from './render.ts'
import { repair } from './repair.ts'

export interface OpenaiOptions extends AdapterOptions {
  /** @default the mode of the preset, or 'client' if the model supports it, otherwise 'bridge' */
  mode?: OpenaiMode | undefined
}

/**
 * An adapter for OpenAI's Responses API and compatible endpoints. Messages are input items, and
 * `request` returns them as `input`: keep those as your history.
 *
 * To get the client's own item type back, pass it as the type argument:
 * `openai<OpenAI.Responses.ResponseInputItem>(session)`.
 *
 * @throws InvalidOptionError, UnknownModeError, UnsupportedModeError
 */
// biome-ignore lint/suspicious/noExplicitAny: no other type is assignable to and from every client's items
export function openai<Message extends OpenaiItem = any>(
  session: Session,
  options: OpenaiOptions = {},
): ProviderAdapter<Message, OpenaiRequest<Message>, OpenaiReply> {
  checkAdapterOptions(options)
  return createAdapter(session, openaiProvider<Message>(), options)
}

function openaiProvider<Message extends OpenaiItem>(): Provider<
  Message,
  OpenaiRequest<Message>,
  OpenaiReply
> {
  return {
    name: 'openai',
    modes: openaiModes,
    acceptsName: ACCEPTED_NAME,
    recognises,
    read,
    maxTools: 128,
    defaultMode,
    unsupportedReason,
    extraNames,
    isNativeResult: isClientOutput,
    checkSystem: text,
    encode,
    decode(reply) {
      const { messages, ...rest } = decode(reply)
      return { ...rest, messages: messages as Message[] }
    },
    render: (results, mode, onDropped) => render(results, mode, onDropped) as Message[],
    repair,
    reconcile,
    appendTools: (messages, tools) => withItem(messages, additionalTools(tools)),
    collect,
  }
}

export { type AllowedTools, allowedTools } from './allowed-tools.ts'
export type { OpenaiReply } from './decode.ts'
export type { OpenaiRequest, OpenaiTool, OpenaiToolSearch } from './encode.ts'
export type { OpenaiFunction } from './function-tool.ts'
export type { OpenaiItem } from './items.ts'
export type { OpenaiNamespace } from './namespaces.ts'
export type { OpenaiMode } from './openai-modes.ts'
