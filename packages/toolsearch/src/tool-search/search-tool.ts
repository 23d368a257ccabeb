import type { SearchTool } from './search-behaviour.ts'

export interface SearchToolOptions {
  name: string
  description: string
  /** What the query may be, for the model. */
  query: string
  /** The argument that says how many results; left out, the model cannot choose. */
  limit?: { name: string; description: string; maximum?: number }
}

/** What a request says of a search tool with these words. */
export function searchTool({ name, description, query, limit }: SearchToolOptions): SearchTool {
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: query },
        ...(limit && {
          [limit.name]: {
            type: 'integer',
            description: limit.description,
            minimum: 1,
            ...(limit.maximum !== undefined && { maximum: limit.maximum }),
          },
        }),
      },
      required: ['query'],
      additionalProperties: false,
    },
  }
}
