import type { Rank } from '../retrieval/contender.ts'
import { rankBySearch } from '../retrieval/rank-by-search.ts'
import { published } from './published.ts'

interface Ratel {
  ToolRegistry: new () => {
    register(tool: {
      id: string
      name: string
      description: string
      inputSchema: unknown
      outputSchema: unknown
    }): void
    search(query: string, topK: number): { toolId: string }[]
  }
}

const { ToolRegistry } = await published<Ratel>('@ratel-ai/sdk')

/** Ratel's `ToolRegistry`, used as in its README. It also indexes the schemas. */
export const rank: Rank = rankBySearch((tools, limit) => {
  const registry = new ToolRegistry()
  for (const { name, description = '', inputSchema = {} } of tools) {
    // Ratel's own default for MCP tools without an output schema.
    const outputSchema = { type: 'object' }
    registry.register({ id: name, name, description, inputSchema, outputSchema })
  }
  return (query) => ({ names: registry.search(query, limit).map(({ toolId }) => toolId) })
})
