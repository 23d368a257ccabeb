import type { SearchTool } from './search-behaviour.ts'

export interface SearchToolOptions extends Omit<SearchTool, 'inputSchema'> {
  /** Describes the query argument to the model. */
  query: string
  /** The argument for the number of results. Omit it to use a fixed limit. */
  limit?: SearchToolLimit
}

interface SearchToolLimit {
  name: string
  description: string
  /** @default none */
  maximum?: number
}

/** Builds the definition of a search tool. */
export function searchTool({ query, limit, ...tool }: SearchToolOptions): SearchTool {
  return {
    ...tool,
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: query },
        ...(limit && { [limit.name]: limitSchema(limit) }),
      },
      required: ['query'],
      additionalProperties: false,
    },
  }
}

function limitSchema({ name: _, description, ...bounds }: SearchToolLimit) {
  return { type: 'integer', description, minimum: 1, ...bounds }
}
