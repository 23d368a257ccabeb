import { type ChatMessage, isInstruction, textsOf, withText } from './chat-message.ts'

/** Our block, always the last thing in its message. */
const BLOCK = /(?:^|\n\n)<tools_by_search>\n.*\n<\/tools_by_search>$/s

/**
 * Puts the system prompt first, and the announcement at the end of the last of the instructions
 * that begin a conversation. It has no message of its own, since many chat templates refuse a
 * second system message. What is there already is not added again, and an announcement of before
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
    const told = withText(bare, block)
    return textOf(told) === textOf(last) ? started : started.with(at, told)
  }
  if (bare === last) return started
  // nothing is left of a message that held only the block
  return textOf(bare) === '' ? started.toSpliced(at, 1) : started.with(at, bare)
}

function withSystem<Message extends ChatMessage>(
  messages: readonly Message[],
  system: unknown,
): readonly Message[] {
  if (typeof system !== 'string' || system === '') return messages
  const given = messages.slice(0, countInstructions(messages))
  if (given.some((message) => textOf(withoutBlock(message)) === system)) return messages
  const [first, ...others] = given
  // the only instruction, with our block in it: it came from a request with another system prompt
  const isOurs = first !== undefined && others.length === 0 && withoutBlock(first) !== first
  return [instruction<Message>(system), ...(isOurs ? messages.slice(1) : messages)]
}

function instruction<Message extends ChatMessage>(content: string): Message {
  return { role: 'system', content } as Message
}

function countInstructions(messages: readonly ChatMessage[]): number {
  const end = messages.findIndex((message) => !isInstruction(message))
  return end < 0 ? messages.length : end
}

function withoutBlock<Message extends ChatMessage>(message: Message): Message {
  const { content } = message
  if (!BLOCK.test(textsOf(message).at(-1) ?? '')) return message
  return { ...message, content: Array.isArray(content) ? content.slice(0, -1) : bareText(content) }
}

function bareText(text: string): string {
  return text.replace(BLOCK, '')
}

function textOf(message: ChatMessage): string {
  return textsOf(message).join('\n\n')
}
