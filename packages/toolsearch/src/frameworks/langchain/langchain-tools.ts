import type { Tool, ToolDefinition } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import { check } from '../../options/check-option.ts'
import { originalTools } from '../original-tools.ts'
import type { LangChainTool } from './langchain-shapes.ts'

const originals = originalTools<LangChainTool>('langchainTool')

const checkTools = check(
  (value) => Array.isArray(value) && value.every((tool) => typeof tool?.invoke === 'function'),
  'use an array of LangChain tools',
)

/**
 * Definitions for the catalogue. The adapter for LangChain runs the original tools, with their
 * callbacks, runtime and artifacts.
 *
 * @example createToolSearch({ tools: langchainTools(tools) })
 *
 * @throws InvalidOptionError
 */
export function langchainTools(tools: readonly LangChainTool[]): ToolDefinition[] {
  checkTools(tools, 'tools')
  return tools.map((tool) => {
    const { name, description, schema, extras, metadata } = tool
    const deferred = extras?.defer_loading
    return {
      name,
      description,
      inputSchema: schema as NonNullable<ToolDefinition['inputSchema']>,
      // where the MCP adapters of LangChain keep them
      ...(isObject(metadata?.annotations) && { annotations: metadata.annotations }),
      ...(typeof deferred === 'boolean' && { loading: deferred ? 'deferred' : 'eager' }),
      metadata: originals.metadataOf(tool),
    }
  })
}

/** LangChain's tool behind a tool of the catalogue, if it came from `langchainTools`. */
export const originalOf: (tool: Tool | undefined) => LangChainTool | undefined = originals.of
