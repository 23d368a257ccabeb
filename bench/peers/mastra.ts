import type { Rank } from '../retrieval/contender.ts'
import { rankBySearch } from '../retrieval/rank-by-search.ts'
import { published } from './published.ts'

interface Processors {
  ToolSearchProcessor: new (options: {
    tools: Record<string, unknown>
    search: { topK: number }
  }) => {
    processInputStep(step: Record<string, unknown>): Promise<{
      tools: { search_tools: SearchTool }
    }>
  }
}

interface SearchTool {
  execute(input: { query: string }, context: object): Promise<{ results: { name: string }[] }>
}

interface Tools {
  createTool(options: Record<string, unknown>): unknown
}

interface Agent {
  MessageList: new () => unknown
}

const { ToolSearchProcessor } = await published<Processors>('@mastra/core/processors')
const { createTool } = await published<Tools>('@mastra/core/tools')
const { MessageList } = await published<Agent>('@mastra/core/agent')

/** Mastra's `ToolSearchProcessor`: the `search_tools` that it adds to a step of an agent. */
export const rank: Rank = rankBySearch(async (definitions, limit) => {
  const tools = Object.fromEntries(
    definitions.map(({ name, description, inputSchema }) => [
      name,
      createTool({ id: name, description, inputSchema, execute: async () => ({}) }),
    ]),
  )
  const processor = new ToolSearchProcessor({ tools, search: { topK: limit } })
  const step = { tools: {}, messageList: new MessageList(), messages: [], steps: [], stepNumber: 0 }
  const { search_tools } = (await processor.processInputStep(step)).tools
  return async (query) => {
    const { results } = await search_tools.execute({ query }, {})
    return { names: results.map(({ name }) => name) }
  }
})
