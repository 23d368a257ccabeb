import { ChatAnthropic } from '@langchain/anthropic'
import { ChatOpenAI } from '@langchain/openai'
import { tool } from 'langchain'
import { anthropicMessages, chatCompletions, openaiResponses } from 'toolsearch-checking-server'
import type { ToolDefinition } from '../../catalogue/tool.ts'
import type { ModelUnderTest } from '../bridge-conversation.cases.ts'
import type { LangChainTool } from './langchain-shapes.ts'

const openai = (url: string, fields: object) =>
  new ChatOpenAI({
    model: 'gpt-5.4',
    apiKey: 'any',
    configuration: { baseURL: `${url}/v1` },
    maxRetries: 0,
    ...fields,
  })

export const models: readonly ModelUnderTest<ChatAnthropic | ChatOpenAI>[] = [
  {
    name: 'ChatAnthropic',
    service: () => anthropicMessages(),
    model: (url) =>
      new ChatAnthropic({
        model: 'claude-sonnet-5',
        apiKey: 'any',
        anthropicApiUrl: url,
        maxRetries: 0,
      }),
  },
  {
    name: 'ChatOpenAI with Responses',
    service: () => openaiResponses(),
    model: (url) => openai(url, { useResponsesApi: true }),
  },
  {
    name: 'ChatOpenAI with Chat Completions',
    service: () => chatCompletions(),
    model: (url) => openai(url, { useResponsesApi: false }),
  },
]

/** The same tool as a tool of LangChain. */
export function asLangChain({
  name,
  description,
  inputSchema,
  execute,
}: ToolDefinition): LangChainTool {
  const run = (input: unknown) => execute!(input as never, undefined as never)
  return tool(run, { name, description: description!, schema: inputSchema as never })
}
