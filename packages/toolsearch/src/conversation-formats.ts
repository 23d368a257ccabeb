import { ACCEPTED_EVERYWHERE } from './catalogue/safe-name.ts'
import { read as readSdkMessage } from './frameworks/ai-sdk/read.ts'
import { write as writeSdkMessages } from './frameworks/ai-sdk/write.ts'
import { ACCEPTED_NAME as anthropicName } from './providers/anthropic/blocks.ts'
import { read as readAnthropic } from './providers/anthropic/read.ts'
import { write as writeAnthropic } from './providers/anthropic/write.ts'
import { ACCEPTED_NAME as geminiName, read as readGemini } from './providers/gemini/read.ts'
import { write as writeGemini } from './providers/gemini/write.ts'
import { ACCEPTED_NAME as openaiName } from './providers/openai/items.ts'
import { read as readOpenai } from './providers/openai/read.ts'
import { write as writeOpenai } from './providers/openai/write.ts'
import { ACCEPTED_NAME as chatName } from './providers/openai-compatible/chat-message.ts'
import { read as readChat } from './providers/openai-compatible/read.ts'
import { write as writeChat } from './providers/openai-compatible/write.ts'
import type { ConversationFormat } from './transcript/conversation.ts'

/** The providers between which a conversation can move, by the name of the entry point. */
export type ProviderName = 'ai-sdk' | 'anthropic' | 'gemini' | 'openai' | 'openai-compatible'

export const formats: Readonly<Record<ProviderName, ConversationFormat>> = {
  'ai-sdk': { acceptsName: ACCEPTED_EVERYWHERE, read: readSdkMessage, write: writeSdkMessages },
  anthropic: { acceptsName: anthropicName, read: readAnthropic, write: writeAnthropic },
  gemini: { acceptsName: geminiName, read: readGemini, write: writeGemini },
  openai: { acceptsName: openaiName, read: readOpenai, write: writeOpenai },
  'openai-compatible': { acceptsName: chatName, read: readChat, write: writeChat },
}
