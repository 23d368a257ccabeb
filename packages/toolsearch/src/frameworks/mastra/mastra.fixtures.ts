import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import type { MastraModelConfig } from '@mastra/core/llm'
import type { PublicSchema } from '@mastra/core/schema'
import { createTool } from '@mastra/core/tools'
import { anthropicMessages, chatCompletions, openaiResponses } from 'toolsearch-checking-server'
import type { ToolDefinition } from '../../catalogue/tool.ts'
import type { ModelUnderTest } from '../bridge-conversation.cases.ts'
import type { MastraTool } from './mastra-shapes.ts'

export const models: readonly ModelUnderTest<MastraModelConfig>[] = [
  {
    name: 'Anthropic',
    service: () => anthropicMessages(),
    model: (url) =>
      forMastra(createAnthropic({ apiKey: 'any', baseURL: `${url}/v1` })('claude-sonnet-5')),
  },
  {
    name: 'OpenAI Responses',
    service: () => openaiResponses(),
    model: (url) =>
      forMastra(createOpenAI({ apiKey: 'any', baseURL: `${url}/v1` }).responses('gpt-5.4')),
  },
  {
    name: 'Chat Completions',
    service: () => chatCompletions(),
    model: (url) =>
      forMastra(createOpenAI({ apiKey: 'any', baseURL: `${url}/v1` }).chat('gpt-5.4')),
  },
]

/** Mastra runs models of AI SDK 7, but its types describe their `doGenerate` differently. */
function forMastra(model: object): MastraModelConfig {
  return model as MastraModelConfig
}

/** The same tool as a tool of Mastra. */
export function asMastra({ name, description, inputSchema, execute }: ToolDefinition): MastraTool {
  return createTool({
    id: name,
    description: description!,
    inputSchema: inputSchema as PublicSchema<unknown>,
    execute: async (input: unknown) => execute!(input as never, undefined as never),
  })
}
