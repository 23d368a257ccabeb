import type { SearchTool } from './search-behaviour.ts'

export interface SearchToolOptions {
  name: string
  description: string
  /** Describes the query argument to the model. */
  query: string
  /** The argument for the number of results. Omit it to use a fixed limit. */
  limit?: { name: string; description: string; maximum?: number }
}

/** Builds the definition of a search tool. */
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
