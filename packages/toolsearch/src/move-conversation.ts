import { safeName } from './catalogue/safe-name.ts'
import { completeDrafts } from './conversations/complete-drafts.ts'
import type {
  ConversationFormat,
  ConversationMessage,
  ConversationPart,
  Lose,
  Lost,
} from './conversations/conversation.ts'
import { resultText } from './conversations/media.ts'
import { aiSdkFormat, type SdkModelMessage } from './frameworks/ai-sdk/conversation-format.ts'
import { isObject } from './is-object.ts'
import { type Check, checkOptions, fail, name, oneOf } from './options/check-option.ts'
import type { OutputPart } from './outputs/output-part.ts'
import type { AnthropicMessage } from './providers/anthropic/blocks.ts'
import { anthropicFormat } from './providers/anthropic/conversation-format.ts'
import { geminiFormat } from './providers/gemini/conversation-format.ts'
import type { GeminiContent } from './providers/gemini/parts.ts'
import { openaiFormat } from './providers/openai/conversation-format.ts'
import type { OpenaiItem } from './providers/openai/items.ts'
import type { ChatMessage } from './providers/openai-compatible/chat-message.ts'
import { chatFormat } from './providers/openai-compatible/conversation-format.ts'

/** The messages of each provider and of the AI SDK, by the name of the entry point. */
export interface ProviderMessages {
  'ai-sdk': SdkModelMessage
  anthropic: Required<AnthropicMessage>
  gemini: GeminiContent
  openai: OpenaiItem
  'openai-compatible': ChatMessage
}

export type ProviderName = keyof ProviderMessages

export interface MoveOptions<To extends ProviderName> {
  /** The provider that the messages come from. */
  from: ProviderName
  /** The provider that the messages are for. */
  to: To
  /**
   * The name of your search tool. Searches that a provider ran itself become calls to it.
   * @default 'tool_search'
   */
  searchTool?: string | undefined
}

export interface MovedConversation<Message> {
  readonly messages: Message[]
  /**
   * The instructions at the start of the messages, if they had any. Pass them to `request` as
   * `system`.
   */
  readonly system?: string
  /** What could not be moved. */
  readonly lost: readonly Lost[]
}

const formats: Readonly<Record<ProviderName, ConversationFormat>> = {
  'ai-sdk': aiSdkFormat,
  anthropic: anthropicFormat,
  gemini: geminiFormat,
  openai: openaiFormat,
  'openai-compatible': chatFormat,
}

const provider: Check = oneOf<ProviderName>({
  'ai-sdk': true,
  anthropic: true,
  gemini: true,
  openai: true,
  'openai-compatible': true,
})

/**
 * Converts the messages of one provider to those of another. Texts, calls, results and media travel;
 * `lost` says what does not. Then tell the new adapter which tools the conversation has loaded:
 *
 * @example
 * const { messages } = moveConversation(history, { from: 'anthropic', to: 'gemini' })
 * await adapter.rebuild(messages)
 * const request = await adapter.request({ messages })
 *
 * @throws InvalidOptionError
 */
export function moveConversation<To extends ProviderName>(
  messages: readonly object[],
  options: MoveOptions<To>,
): MovedConversation<ProviderMessages[To]> {
  checkOptions(options, 'options', { from: provider, to: provider, searchTool: name })
  const { from, to, searchTool = 'tool_search' } = options
  provider(from, 'from')
  provider(to, 'to')
  if (!Array.isArray(messages)) fail(messages, 'messages', 'use an array of messages')
  const moved = messages as readonly ProviderMessages[To][]
  if (from === (to as ProviderName)) return { messages: [...moved], lost: [] }
  const lost: Lost[] = []
  const lose: Lose = (kind, at, reason) => lost.push({ kind, at, reason })
  const loose = (messages as readonly unknown[]).map((message) =>
    isObject(message) ? message : {},
  )
  const drafts = formats[from].read(loose, { searchTool, lose })
  const { system, rest } = takeInstructions(completeDrafts(drafts, lose))
  const named = rest.map((message) => withValidNames(message, formats[to].acceptsName))
  const written = formats[to].write(named, lose) as readonly unknown[]
  return {
    messages: written as ProviderMessages[To][],
    ...(system !== '' && { system }),
    lost,
  }
}

function takeInstructions(messages: readonly ConversationMessage[]): {
  system: string
  rest: readonly ConversationMessage[]
} {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const end = first < 0 ? messages.length : first
  const texts = messages.slice(0, end).map(({ parts }) => resultText(parts as OutputPart[]))
  return { system: texts.join('\n\n'), rest: messages.slice(end) }
}

/** A name that the new provider rejects gets the replacement that its adapter uses for the tool. */
function withValidNames(message: ConversationMessage, accepts: RegExp): ConversationMessage {
  const parts = message.parts.map((part): ConversationPart => {
    if (part.type !== 'call' && part.type !== 'result') return part
    return accepts.test(part.name) ? part : { ...part, name: safeName(part.name) }
  })
  return { ...message, parts }
}

export type { Lost } from './conversations/conversation.ts'
