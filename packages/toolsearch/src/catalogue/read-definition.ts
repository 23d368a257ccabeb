import { isObject } from '../is-object.ts'
import { InvalidToolError } from './catalogue-errors.ts'
import { checkSchema } from './check-schema.ts'
import type { Execution, JsonSchema, Loading, Tool, ToolAnnotations, ToolSource } from './tool.ts'

const MAX_NAME_LENGTH = 128
const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} }
const LOADINGS: readonly string[] = ['auto', 'eager', 'deferred'] satisfies Loading[]
const EXECUTIONS: readonly string[] = ['parallel', 'sequential'] satisfies Execution[]
const FOREIGN_SCHEMA_FIELDS = ['parameters', 'input_schema']

/**
 * Validates a definition and returns it as a `Tool`. Keeps the schemas by reference, so the caller
 * must not change them afterwards. @throws InvalidToolError
 */
export function readDefinition(definition: unknown): Tool {
  if (typeof definition !== 'object' || definition === null || Array.isArray(definition)) {
    throw new InvalidToolError(
      'A tool definition',
      '',
      `must be an object, got ${kind(definition)}`,
    )
  }
  const fields = definition as Record<string, unknown>
  const name = readName(fields.name)
  const invalid = (field: string, problem: string) => new InvalidToolError(name, field, problem)

  for (const field of FOREIGN_SCHEMA_FIELDS) {
    if (fields[field] !== undefined && fields.inputSchema === undefined) {
      throw invalid(field, 'is not supported; use "inputSchema"')
    }
  }
  const metadata = { ...optional('_meta', 'object'), ...optional('metadata', 'object') }
  const title = optional('title', 'string')
  const outputSchema = readSchema('outputSchema')
  const searchHint = optional('searchHint', 'string') ?? metadata['anthropic/searchHint']
  const execute = optional('execute', 'function')
  const source = (optional('source', 'string') as ToolSource | undefined) ?? sourceOfName(name)

  return Object.freeze({
    name,
    ...(title !== undefined && { title }),
    description: optional('description', 'string') ?? '',
    inputSchema: readSchema('inputSchema') ?? NO_PARAMETERS,
    ...(outputSchema !== undefined && { outputSchema }),
    source,
    isMcp: optional('isMcp', 'boolean') ?? source.startsWith('mcp:'),
    ...(typeof searchHint === 'string' && { searchHint }),
    tags: readTags(),
    annotations: (optional('annotations', 'object') ?? {}) as ToolAnnotations,
    loading: readLoading(),
    metadata,
    ...(execute && { execute }),
    execution: readExecution(),
  })

  function optional(field: string, type: 'string'): string | undefined
  function optional(field: string, type: 'boolean'): boolean | undefined
  function optional(field: string, type: 'function'): Tool['execute']
  function optional(field: string, type: 'object'): Record<string, unknown> | undefined
  function optional(field: string, type: string): unknown {
    const value = fields[field]
    // servers written in other languages send null for absent fields
    if (value === undefined || value === null) return undefined
    if (kind(value) !== type)
      throw invalid(field, `must be ${withArticle(type)}, got ${kind(value)}`)
    return value
  }

  function readSchema(field: string): JsonSchema | undefined {
    const schema = optional(field, 'object')
    if (schema === undefined) return undefined
    const found = checkSchema(schema)
    if (found) throw invalid([field, found.path].filter(Boolean).join('.'), found.problem)
    return schema
  }

  function readTags(): readonly string[] {
    const tags = fields.tags ?? []
    if (Array.isArray(tags) && tags.every((tag) => typeof tag === 'string')) return tags
    throw invalid('tags', 'must be an array of strings')
  }

  function readLoading(): Loading {
    const loading = optional('loading', 'string')
    if (loading === undefined) return metadata['anthropic/alwaysLoad'] === true ? 'eager' : 'auto'
    if (LOADINGS.includes(loading)) return loading as Loading
    throw invalid('loading', `is "${loading}"; use one of ${LOADINGS.join(', ')}`)
  }

  function readExecution(): Execution {
    // MCP has an object here, which says whether the tool supports tasks
    if (isObject(fields.execution)) return 'parallel'
    const execution = optional('execution', 'string') ?? 'parallel'
    if (EXECUTIONS.includes(execution)) return execution as Execution
    throw invalid('execution', `is "${execution}"; use one of ${EXECUTIONS.join(', ')}`)
  }
}

function readName(name: unknown): string {
  if (typeof name !== 'string' || name.trim() === '') {
    throw new InvalidToolError('(unnamed)', 'name', `must be a non-empty string, got ${kind(name)}`)
  }
  const length = [...name].length
  if (length > MAX_NAME_LENGTH) {
    throw new InvalidToolError(
      name,
      'name',
      `has ${length} characters; the maximum is ${MAX_NAME_LENGTH}`,
    )
  }
  // a lone surrogate cannot be encoded as UTF-8, so no request could contain it
  if (!name.isWellFormed()) throw new InvalidToolError(name, 'name', 'is not well-formed Unicode')
  return name
}

/** Clients use both `mcp__server__tool` and `mcp_server__tool`. */
function sourceOfName(name: string): ToolSource {
  const server = /^mcp__?(.+?)__./.exec(name)?.[1]
  return server === undefined ? 'builtin' : `mcp:${server}`
}

function withArticle(type: string): string {
  return type === 'object' ? 'an object' : `a ${type}`
}

function kind(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
