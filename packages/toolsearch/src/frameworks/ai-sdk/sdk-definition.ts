import type { ToolDefinition } from '../../catalogue/tool.ts'
import { isObject } from '../../is-object.ts'
import type { InputSchema } from './input-schema.ts'
import type { SdkTool } from './sdk-shapes.ts'

// The default name of `createMCPClient`, which does not identify a server.
const UNNAMED_CLIENT = 'ai-sdk-mcp-client'

/**
 * The catalogue definition of an SDK tool. The SDK's `deferLoading` determines whether the tool is
 * deferred. Tools of the SDK's MCP client also have annotations and `_meta`.
 */
export async function sdkDefinition(
  name: string,
  tool: SdkTool & { readonly _meta?: unknown },
  schema: InputSchema,
  context: unknown,
): Promise<ToolDefinition> {
  const { title, deferLoading, _meta } = tool
  const description =
    typeof tool.description === 'function' ? tool.description({ context }) : tool.description
  const metadata = isObject(tool.metadata) ? tool.metadata : {}
  const client = 'toolName' in metadata ? metadata.clientName : undefined
  return {
    name,
    inputSchema: await schema.json(),
    ...(schema.validator && { validator: schema.validator }),
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
    ...(isObject(metadata.annotations) && { annotations: metadata.annotations }),
    ...(isObject(_meta) && { _meta }),
    ...(client !== undefined && { isMcp: true }),
    ...(typeof client === 'string' &&
      client !== UNNAMED_CLIENT && { source: `mcp:${client}` as const }),
    ...(typeof deferLoading === 'boolean' && { loading: deferLoading ? 'deferred' : 'eager' }),
  }
}
