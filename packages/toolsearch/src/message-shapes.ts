import { recognises as isSdkMessage, read as readSdkMessage } from './frameworks/ai-sdk/read.ts'
import { isObject } from './is-object.ts'
import { recognises as isAnthropic } from './providers/anthropic/blocks.ts'
import { read as readAnthropic } from './providers/anthropic/read.ts'
import { recognises as isGemini } from './providers/gemini/parts.ts'
import { read as readGemini } from './providers/gemini/read.ts'
import { recognises as isOpenai } from './providers/openai/items.ts'
import { read as readOpenai } from './providers/openai/read.ts'
import { recognises as isChat } from './providers/openai-compatible/chat-message.ts'
import { read as readChat } from './providers/openai-compatible/read.ts'
import type { Block } from './transcript/block.ts'
import type { Entry } from './transcript/entry.ts'

/** The SDK's messages come first, because they look like those of other providers. */
const shapes: readonly (readonly [
  recognises: (message: Block) => boolean | undefined,
  read: (message: object, at: number) => Entry,
])[] = [
  [isSdkMessage, readSdkMessage],
  [isAnthropic, readAnthropic],
  [isOpenai, readOpenai],
  [isChat, readChat],
  [isGemini, readGemini],
]

/**
 * Reads a message in the shape of any provider or of the AI SDK. A history may mix them, for example
 * after a conversation moved to another provider.
 */
export function readMessage(message: object, at: number): Entry {
  const block = isObject(message) ? message : {}
  const shape = shapes.find(([recognises]) => recognises(block))
  // a message with nothing but text has the same shape everywhere
  return (shape?.[1] ?? readChat)(block, at)
}
