import { aiSdkHistoryReader } from './frameworks/ai-sdk/history-reader.ts'
import { langchainHistoryReader } from './frameworks/langchain/history-reader.ts'
import { anthropicHistoryReader } from './providers/anthropic/history-reader.ts'
import { geminiHistoryReader } from './providers/gemini/history-reader.ts'
import { openaiHistoryReader } from './providers/openai/history-reader.ts'
import { chatHistoryReader } from './providers/openai-compatible/history-reader.ts'
import type { HistoryReader } from './tool-search/history-reader.ts'

/**
 * Every message shape that `session.rebuild` understands. A history may mix them, for example after a
 * conversation moved to another provider.
 */
export const historyReaders: readonly HistoryReader[] = [
  anthropicHistoryReader,
  openaiHistoryReader,
  chatHistoryReader,
  geminiHistoryReader,
  aiSdkHistoryReader,
  langchainHistoryReader,
]
