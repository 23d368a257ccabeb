import { check, count, oneOf, type Shape, text } from '../../options/check-option.ts'
import type { Session } from '../../session/session.ts'
import { createAdapter } from '../adapter.ts'
import { checkAdapterOptions } from '../check-adapter-options.ts'
import { universalModes } from '../modes.ts'
import type { Mode, Provider } from '../provider.ts'
import type { AdapterOptions, ProviderAdapter } from '../provider-adapter.ts'
import { ACCEPTED_NAME, type ChatMessage } from './chat-message.ts'
import { collect, type StreamedTexts } from './collect.ts'
import { type ChatReply, decode } from './decode.ts'
import { type ChatRequest, encode, extraNames, type Forcing } from './encode.ts'
import { read, recognises } from './read.ts'
import { reconcile } from './reconcile.ts'
import { repair } from './repair.ts'
import { type ChatMedia, render } from './results.ts'

/** The ways to defer tools with Chat Completions. */
export type ChatMode = 'bridge' | 'append' | 'stub' | 'reference'

const chatModes: Readonly<Record<ChatMode, Mode>> = {
  reference: {
    search: 'own',
    reveal: 'reference',
    // The last one is the error of chat templates that only know text.
    requires: ['defer_loading', 'tool_reference', 'item type in content'],
    fallback: 'bridge',
  },
  ...universalModes,
}

export interface OpenAICompatibleOptions extends AdapterOptions {
  /** @default the mode of the preset, or 'bridge' */
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
  /**
   * The media that the endpoint and the model can read. If a tool returns them, they are sent in a
   * user message after the results. Others are replaced by a text: see `onDrop`.
   * @default ['image']
   */
  media?: readonly ChatMedia[] | undefined
}

const MEDIA: readonly ChatMedia[] = ['image', 'audio', 'file']

const OWN_OPTIONS: Shape = {
  maxTools: count(1),
  forcing: oneOf<Forcing>({ named: true, required: true, alone: true }),
  reasoning: oneOf({ keep: true, drop: true }),
  texts: oneOf<StreamedTexts>({ pieces: true, 'so-far': true }),
  media: check(
    (value) => Array.isArray(value) && value.every((item) => MEDIA.includes(item)),
    "use an array of 'image', 'audio' and 'file'",
  ),
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
  media = ['image'],
}: OpenAICompatibleOptions): Provider<Message, ChatRequest<Message>, ChatReply> {
  return {
    name: 'openai-compatible',
    modes: chatModes,
    acceptsName: ACCEPTED_NAME,
    recognises,
    read,
    maxTools,
    defaultMode: () => 'bridge',
    extraNames,
    isNativeResult: ({ role }) => role === 'tool',
    checkSystem: text,
    encode: (plan) => encode(plan, { forcing, reasoning }),
    decode,
    render: (results, mode, onDropped) =>
      render(results, { mode, media, onDropped }) as readonly unknown[] as Message[],
    repair,
    reconcile,
    collect: () => collect(texts),
  }
}

export type { ChatMessage } from './chat-message.ts'
export type { StreamedTexts } from './collect.ts'
export type { ChatReply } from './decode.ts'
export type { ChatRequest, ChatTool, Forcing } from './encode.ts'
export {
  baseten,
  deepseek,
  lmStudio,
  minimax,
  type OptionSet,
  ollama,
  openRouter,
  sglang,
  vllm,
} from './option-sets.ts'
export type { ChatMedia } from './results.ts'
