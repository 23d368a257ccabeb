import type { JsonSchema } from './tool.ts'

/** Optional parts of a definition. Requests contain them if the service accepts them. */
export interface RequestFields {
  readonly strict?: boolean
  readonly inputExamples?: readonly Readonly<Record<string, unknown>>[]
  readonly allowedCallers?: readonly string[]
  readonly outputSchema?: JsonSchema
  readonly cacheControl?: CacheControl
}

/** A breakpoint of Anthropic's prompt cache. */
export interface CacheControl {
  type: 'ephemeral'
  ttl?: '5m' | '1h'
}

/** The fields that a tool has, for requests. */
export function requestFields(tool: RequestFields): RequestFields {
  const { strict, inputExamples, allowedCallers, outputSchema, cacheControl } = tool
  // Only programs read it. MCP servers send many, which would cost tokens for nothing.
  const isForPrograms = allowedCallers?.includes('programmatic')
  return {
    ...(strict && { strict }),
    ...(inputExamples?.length && { inputExamples }),
    ...(allowedCallers?.length && { allowedCallers }),
    ...(isForPrograms && outputSchema && { outputSchema }),
    ...(cacheControl && { cacheControl }),
  }
}
