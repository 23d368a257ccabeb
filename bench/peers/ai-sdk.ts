import type { JsonSchema } from 'toolsearch'
import type { Rank } from '../retrieval/contender.ts'
import { rankBySearch } from '../retrieval/rank-by-search.ts'
import { published } from './published.ts'

interface Ai {
  generateText(options: Record<string, unknown>): Promise<{
    toolResults: { output: { tools: { name: string }[] } }[]
  }>
  isStepCount(count: number): unknown
  jsonSchema(schema: JsonSchema): unknown
  tool(options: Record<string, unknown>): unknown
  toolSearch(options: { maxResults: number }): unknown
}

interface AiTest {
  MockLanguageModelV4: new (options: { doGenerate: unknown }) => unknown
}

const { generateText, isStepCount, jsonSchema, tool, toolSearch } = await published<Ai>('ai')
const { MockLanguageModelV4 } = await published<AiTest>('ai/test')

const SEARCH = 'bench__search_tools'
const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} }

/**
 * The AI SDK's `toolSearch` with its own ranking. It works only during a generation, so a mock model
 * sends one query in one step. The time is the one the SDK reports for the tool.
 */
export const rank: Rank = rankBySearch((definitions, limit) => {
  const tools: Record<string, unknown> = { [SEARCH]: toolSearch({ maxResults: limit }) }
  for (const { name, description, inputSchema = NO_PARAMETERS } of definitions) {
    const options = {
      description,
      inputSchema: jsonSchema(inputSchema as JsonSchema),
      deferLoading: true,
    }
    tools[name] = tool({ ...options, execute: async () => ({}) })
  }
  return async (query) => {
    let ms = 0
    const { toolResults } = await generateText({
      model: new MockLanguageModelV4({ doGenerate: callOnce(query) }),
      prompt: query,
      tools,
      stopWhen: isStepCount(1),
      onToolExecutionEnd({ toolExecutionMs }: { toolExecutionMs: number }) {
        ms = toolExecutionMs
      },
    })
    return { names: toolResults[0]!.output.tools.map(({ name }) => name), ms }
  }
})

function callOnce(query: string): object {
  const input = JSON.stringify({ query })
  return {
    content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: SEARCH, input }],
    finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
    usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
    warnings: [],
  }
}
