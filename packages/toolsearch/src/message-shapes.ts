import * as sdk from './frameworks/ai-sdk/read.ts'
import * as anthropic from './providers/anthropic/read.ts'
import * as gemini from './providers/gemini/read.ts'
import * as openai from './providers/openai/read.ts'
import * as chat from './providers/openai-compatible/read.ts'
import type { Entry } from './transcript/entry.ts'
import { type LoadedTools, loadedTools } from './transcript/loaded-tools.ts'

/** The SDK's messages come first, because they look like those of other providers. */
const shapes = [sdk, anthropic, openai, chat, gemini]

/**
 * Reads a message in the shape of any provider or of the AI SDK. A history may mix them, for example
 * after a conversation moved to another provider.
 */
export function readMessage(message: object, at: number): Entry {
  const shape = shapes.find(({ recognises }) => recognises(message))
  // a message with nothing but text has the same shape everywhere
  return (shape ?? chat).read(message, at)
}

/** The tools that messages have loaded. */
export function toolsIn(
  messages: readonly object[],
  searchToolName: string,
  read: typeof readMessage = readMessage,
): LoadedTools {
  return loadedTools(messages.map(read), searchToolName)
}
