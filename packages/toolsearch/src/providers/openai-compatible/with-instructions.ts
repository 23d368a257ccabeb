import { type ChatMessage, isInstruction, textsOf, withText } from './chat-message.ts'

/** The announcement, always the last block of its message. */
const BLOCK = /(?:^|\n\n)<tools_by_search>\n.*\n<\/tools_by_search>$/s

/**
 * Puts the system prompt first and appends the announcement to the last of the instructions at the
 * start of a conversation. The announcement is not a separate message, because many chat templates
 * reject a second system message. Existing instructions are not repeated, and an earlier announcement
 * is replaced.
 */
export function withInstructions<Message extends ChatMessage>(
  messages: readonly Message[],
  system: unknown,
  announcement: string | undefined,
): readonly Message[] {
  const started = withSystem(messages, system)
  const block =
    announcement === undefined
      ? undefined
      : `<tools_by_search>\n${announcement}\n</tools_by_search>`
  const at = countInstructions(started) - 1
  const last = started[at]
  if (last === undefined) {
    return block === undefined ? started : [instruction<Message>(block), ...started]
  }
  const bare = withoutBlock(last)
  if (block !== undefined) {
    const announced = withText(bare, block)
    return textOf(announced) === textOf(last) ? started : started.with(at, announced)
  }
  if (bare === last) return started
  // Remove a message that consisted only of the block.
  return textOf(bare) === '' ? started.toSpliced(at, 1) : started.with(at, bare)
}

function withSystem<Message extends ChatMessage>(
  messages: readonly Message[],
  system: unknown,
): readonly Message[] {
  if (typeof system !== 'string' || system === '') return messages
  const existing = messages.slice(0, countInstructions(messages))
  if (existing.some((message) => textOf(withoutBlock(message)) === system)) return messages
  const [first, ...others] = existing
  // A single instruction with our block comes from an earlier request with a different system prompt.
  const isOutdated = first !== undefined && others.length === 0 && withoutBlock(first) !== first
  return [instruction<Message>(system), ...(isOutdated ? messages.slice(1) : messages)]
}

function instruction<Message extends ChatMessage>(content: string): Message {
  return { role: 'system', content } as Message
}

function countInstructions(messages: readonly ChatMessage[]): number {
  const end = messages.findIndex((message) => !isInstruction(message))
  return end < 0 ? messages.length : end
}

/** The message without the announcement. */
export function withoutBlock<Message extends { readonly content?: unknown }>(
  message: Message,
): Message {
  const { content } = message
  if (!BLOCK.test(textsOf(message).at(-1) ?? '')) return message
  return {
    ...message,
    content: Array.isArray(content) ? content.slice(0, -1) : String(content).replace(BLOCK, ''),
  }
}

function textOf(message: ChatMessage): string {
  return textsOf(message).join('\n\n')
}
