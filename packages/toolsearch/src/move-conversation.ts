import { acceptedName } from './catalogue/safe-name.ts'
import { formats, type ProviderName } from './conversation-formats.ts'
import type { SdkModelMessage } from './frameworks/ai-sdk/write.ts'
import { isObject } from './is-object.ts'
import { type Check, checkOptions, fail, name, oneOf } from './options/check-option.ts'
import type { OutputPart } from './outputs/output-part.ts'
import type { AnthropicMessage } from './providers/anthropic/blocks.ts'
import type { GeminiContent } from './providers/gemini/read.ts'
import type { OpenaiItem } from './providers/openai/items.ts'
import type { ChatMessage } from './providers/openai-compatible/chat-message.ts'
import type { ConversationMessage, Lost, ReportLost } from './transcript/conversation.ts'
import { resultText } from './transcript/media.ts'
import { toConversation } from './transcript/to-conversation.ts'

/** The messages of each provider and of the AI SDK, by the name of the entry point. */
export interface ProviderMessages {
  'ai-sdk': SdkModelMessage
  anthropic: Required<AnthropicMessage>
  gemini: GeminiContent
  openai: OpenaiItem
  'openai-compatible': ChatMessage
}

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
  const reportLost: ReportLost = (kind, at, reason) => lost.push({ kind, at, reason })
  const entries = (messages as readonly unknown[]).map((message, at) =>
    formats[from].read(isObject(message) ? message : {}, at),
  )
  const { acceptsName, write } = formats[to]
  // the replacement that the provider's adapter uses for the tool
  const nameOf = (tool: string) => acceptedName(tool, acceptsName)
  const said = toConversation(entries, { searchTool, nameOf, reportLost })
  const { system, rest } = takeInstructions(said)
  const written = write(rest, reportLost) as readonly unknown[]
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

export type { ProviderName } from './conversation-formats.ts'
export type { Lost } from './transcript/conversation.ts'
