import Anthropic from '@anthropic-ai/sdk'
import { anthropicCase } from './anthropic/anthropic-case.fixtures.ts'
import { geminiCase } from './gemini/gemini-case.fixtures.ts'
import { openaiCase } from './openai/openai-case.fixtures.ts'
import { chatCase } from './openai-compatible/openai-compatible.fixtures.ts'
import type { ProviderCase } from './provider.fixtures.ts'

/** Every provider, for tests of common behaviour. */
export const providers: readonly ProviderCase[] = [
  anthropicCase('Anthropic', Anthropic),
  chatCase('Chat Completions'),
  geminiCase,
  openaiCase,
]
