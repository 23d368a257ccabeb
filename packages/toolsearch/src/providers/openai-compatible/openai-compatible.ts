import type { Session } from '../../session/session.ts'
import { type AdapterOptions, createAdapter, type ProviderAdapter } from '../adapter.ts'
import type { Provider } from '../provider.ts'
import type { ChatMessage } from './chat-message.ts'
import { type ChatMode, chatModes } from './chat-modes.ts'
import { collect, type StreamedTexts } from './collect.ts'
import { type ChatReply, decode } from './decode.ts'
import { type ChatRequest, encode, type Forcing } from './encode.ts'
import { render } from './render.ts'
import { repair } from './repair.ts'
import { revealed } from './revealed.ts'

export interface OpenAICompatibleOptions extends AdapterOptions {
  /** @default 'bridge' */
  mode?: ChatMode | undefined
  /**
   * How many tools one request may list.
   * @default 128
   */
  maxTools?: number | undefined
  /**
   * How the endpoint is made to call one tool.
   * @default 'named'
   */
  forcing?: Forcing | undefined
  /**
   * Whether fields of a reply that only its endpoint knows are sent back to it. Drop them where
   * they are refused.
   * @default 'keep'
   */
  reasoning?: 'keep' | 'drop' | undefined
  /**
   * What a streamed chunk holds of a text: the next piece, or all of it so far.
   * @default 'pieces'
   */
  texts?: StreamedTexts | undefined
}

/**
 * A conversation over Chat Completions, with any endpoint that speaks it.
 *
 * @throws UnknownModeError
 */
export function openaiCompatible<Message extends ChatMessage = ChatMessage>(
  session: Session,
  options: OpenAICompatibleOptions = {},
): ProviderAdapter<Message, ChatRequest<Message>, ChatReply> {
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
    encode: (plan) => encode(plan, { forcing, reasoning }),
    decode,
    render: (results) => render(results) as readonly unknown[] as Message[],
    revealed,
    repair,
    collect: () => collect(texts),
  }
}

export type { ChatMessage } from './chat-message.ts'
export type { ChatMode } from './chat-modes.ts'
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
