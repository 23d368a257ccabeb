import { count, oneOf, type Shape, text } from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import { type AdapterOptions, createAdapter, type ProviderAdapter } from '../adapter.ts'
import { checkAdapterOptions } from '../check-adapter-options.ts'
import type { Mode, Provider } from '../provider.ts'
import type { ChatMessage } from './chat-message.ts'
import { collect, type StreamedTexts } from './collect.ts'
import { type ChatReply, decode } from './decode.ts'
import { type ChatRequest, encode, extraName, type Forcing } from './encode.ts'
import { repair } from './repair.ts'
import { render, revealed } from './results.ts'

/** The ways to defer tools with an API that has no deferral of its own. */
export type ChatMode = 'bridge' | 'append' | 'stub'

const chatModes: Readonly<Record<ChatMode, Mode>> = {
  bridge: { search: 'toolsearch', reveal: 'text', bridge: true, requires: [] },
  append: { search: 'toolsearch', reveal: 'list', requires: [] },
  stub: { search: 'toolsearch', reveal: 'text', stubs: true, bridge: true, requires: [] },
}

export interface OpenAICompatibleOptions extends AdapterOptions {
  /** @default 'bridge'; 'stub' for a preset with stubs */
  mode?: ChatMode | undefined
  /**
   * The number of tools one request may list.
   * @default 128
   */
  maxTools?: number | undefined
  /**
   * How to force the model to call a tool.
   * @default 'named'
   */
  forcing?: Forcing | undefined
  /**
   * Whether to send back reply fields that are not part of the API, such as reasoning. Drop them if
   * the endpoint rejects them.
   * @default 'keep'
   */
  reasoning?: 'keep' | 'drop' | undefined
  /**
   * Whether a streamed chunk contains the next piece of a text or the whole text so far.
   * @default 'pieces'
   */
  texts?: StreamedTexts | undefined
}

const OWN_OPTIONS: Shape = {
  maxTools: count(1),
  forcing: oneOf<Forcing>({ named: true, required: true, alone: true }),
  reasoning: oneOf({ keep: true, drop: true }),
  texts: oneOf<StreamedTexts>({ pieces: true, 'so-far': true }),
}

/**
 * An adapter for any endpoint that is compatible with Chat Completions.
 *
 * @throws InvalidOptionError, UnknownModeError
 */
export function openaiCompatible<Message extends ChatMessage = ChatMessage>(
  session: Session,
  options: OpenAICompatibleOptions = {},
): ProviderAdapter<Message, ChatRequest<Message>, ChatReply> {
  checkAdapterOptions(options, OWN_OPTIONS)
  return createAdapter(session, chatProvider<Message>(options), options)
}

function chatProvider<Message extends ChatMessage>({
  maxTools = 128,
  forcing = 'named',
  reasoning = 'keep',
  texts = 'pieces',
}: OpenAICompatibleOptions): Provider<Message, ChatRequest<Message>, ChatReply> {
  return {
    name: 'openai-compatible',
    modes: chatModes,
    acceptsName: /^[a-zA-Z0-9_-]{1,64}$/,
    maxTools,
    defaultMode: () => 'bridge',
    extraNames: extraName,
    isNativeResult: ({ role }) => role === 'tool',
    checkSystem: text,
    encode: (plan) => encode(plan, { forcing, reasoning }),
    decode,
    render: (results) => render(results) as readonly unknown[] as Message[],
    revealed,
    repair,
    collect: () => collect(texts),
  }
}

export type { ChatMessage } from './chat-message.ts'
export type { StreamedTexts } from './collect.ts'
export type { ChatReply } from './decode.ts'
export type { ChatRequest, ChatTool, Forcing } from './encode.ts'
export {
  deepseek,
  lmStudio,
  minimax,
  type OptionSet,
  ollama,
  openRouter,
  vllm,
} from './option-sets.ts'
