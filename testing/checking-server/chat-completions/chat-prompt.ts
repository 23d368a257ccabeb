import type { ChatBody } from './chat-body.ts'

/** The prompt as the model reads it: tools, then messages. */
export function chatPrompt({ tools = [], messages = [] }: ChatBody): string[] {
  return [...tools, ...messages].map((part) => JSON.stringify(part))
}
