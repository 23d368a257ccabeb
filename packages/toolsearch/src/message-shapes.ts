import { recognises as isSdk, read as readSdk } from './frameworks/ai-sdk/read.ts'
import { recognises as isAnthropic, read as readAnthropic } from './providers/anthropic/read.ts'
import { recognises as isGemini, read as readGemini } from './providers/gemini/read.ts'
import { recognises as isOpenai, read as readOpenai } from './providers/openai/read.ts'
import { recognises as isChat, read as readChat } from './providers/openai-compatible/read.ts'
import type { Entry } from './transcript/entry.ts'
import { type LoadedTools, loadedTools } from './transcript/loaded-tools.ts'

/** The SDK's messages come first, because they look like those of other providers. */
const shapes = [
  { recognises: isSdk, read: readSdk },
  { recognises: isAnthropic, read: readAnthropic },
  { recognises: isOpenai, read: readOpenai },
  { recognises: isChat, read: readChat },
  { recognises: isGemini, read: readGemini },
]

/**
 * Reads a message in the shape of any provider or of the AI SDK. A history may mix them, for example
 * after a conversation moved to another provider.
 */
export function readMessage(message: object, at: number): Entry {
  const shape = shapes.find(({ recognises }) => recognises(message))
  // a message with nothing but text has the same shape everywhere
  return (shape?.read ?? readChat)(message, at)
}

/** The tools that messages have loaded. */
export function toolsIn(
  messages: readonly object[],
  searchToolName: string,
  read: typeof readMessage = readMessage,
): LoadedTools {
  return loadedTools(messages.map(read), searchToolName)
}
