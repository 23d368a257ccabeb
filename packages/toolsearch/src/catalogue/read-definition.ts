import { isListOfStrings } from '../is-list-of-strings.ts'
import { isObject } from '../is-object.ts'
import { InvalidToolError } from './catalogue-errors.ts'
import { checkSchema, type SchemaProblem } from './check-schema.ts'
import { findMisspelling } from './find-misspelling.ts'
import { findUnsendable } from './find-unsendable.ts'
import { kindOf } from './kind-of.ts'
import { type ListedDefinition, listWithin } from './list-definitions.ts'
import { hasObjectRoot } from './object-root.ts'
import { readSchema } from './read-schema.ts'
import { readShape } from './read-shape.ts'
import { readSkill } from './read-skill.ts'
import type { CacheControl, RequestFields } from './request-fields.ts'
import type { ToJsonSchema, Validator } from './standard-schema.ts'
import type { Execution, JsonSchema, Loading, Tool, ToolAnnotations, ToolSource } from './tool.ts'

const MAX_NAME_LENGTH = 128
const NO_PARAMETERS: JsonSchema = { type: 'object', properties: {} }
const NO_PROBLEMS: readonly SchemaProblem[] = []
const LOADINGS: readonly string[] = ['auto', 'eager', 'deferred'] satisfies Loading[]
const EXECUTIONS: readonly string[] = ['parallel', 'sequential'] satisfies Execution[]

export interface ReadOptions extends Omit<ListedDefinition, 'definition'> {
  /** Replaces the definition's own source. */
  readonly source?: ToolSource
  readonly toJsonSchema?: ToJsonSchema | undefined
}

/**
 * Validates a definition of any shape and returns it as a `Tool`. Keeps the schemas by reference, so
 * the caller must not change them afterwards. A schema that no validator can compile is kept and
 * reported in `problems`. @throws InvalidToolError
 */
export function readDefinition(definition: unknown, options: ReadOptions = {}): Tool {
  const place = placeOf(options)
  if (!isObject(definition)) {
    const problem = `must be an object, got ${kindOf(definition)}`
    throw new InvalidToolError(options.key ?? '', '', problem, place)
  }
  const list = listWithin(definition)
  if (list !== undefined) {
    const problem = `is a list of tools; pass its entries instead of the object around it`
    throw new InvalidToolError(options.key ?? '', list, problem, `${place}:`)
  }
  const fields = readShape(definition, options.key)
  const misspelling = findMisspelling(fields)
  // the misspelt field can be the name itself
  if (misspelling?.meant === 'name') throw unknownField(misspelling, '', `${place}:`)
  const name = readName(fields.name, place)
  if (misspelling) throw unknownField(misspelling, name)
  const invalid = (field: string, problem: string) => new InvalidToolError(name, field, problem)
  const problems: SchemaProblem[] = []

  const metadata = { ...optional('_meta', 'object'), ...optional('metadata', 'object') }
  const title = optional('title', 'string')
  const input = readJson('inputSchema', 'input')
  const output = readJson('outputSchema', 'output')
  const searchHint = optional('searchHint', 'string') ?? metadata['anthropic/searchHint']
  const execute = optional('execute', 'function')
  const skill = readSkill(fields, invalid)
  // a `Tool` can be added to another catalogue
  const validator = input?.validator ?? (optional('validator', 'function') as Validator | undefined)
  const source =
    options.source ?? (optional('source', 'string') as ToolSource | undefined) ?? sourceOfName(name)

  return Object.freeze({
    name,
    ...(title !== undefined && { title }),
    description: optional('description', 'string') ?? '',
    inputSchema: input?.json ?? NO_PARAMETERS,
    ...(output && { outputSchema: output.json }),
    ...readRequestFields(),
    source,
    isMcp: optional('isMcp', 'boolean') ?? source.startsWith('mcp:'),
    ...(typeof searchHint === 'string' && { searchHint }),
    tags: readTags(),
    annotations: (optional('annotations', 'object') ?? {}) as ToolAnnotations,
    loading: readLoading(),
    metadata,
    ...(execute && { execute }),
    ...(skill && { skill }),
    execution: readExecution(),
    ...(validator && { validator }),
    problems: problems.length > 0 ? problems : NO_PROBLEMS,
  })

  function optional(field: string, type: 'string'): string | undefined
  function optional(field: string, type: 'boolean'): boolean | undefined
  function optional(field: string, type: 'function'): Tool['execute']
  function optional(field: string, type: 'object'): Record<string, unknown> | undefined
  function optional(field: string, type: string): unknown {
    const value = fields[field]
    // servers written in other languages send null for absent fields
    if (value === undefined || value === null) return undefined
    if (kindOf(value) !== type)
      throw invalid(field, `must be ${withArticle(type)}, got ${kindOf(value)}`)
    return value
  }

  function readJson(
    field: string,
    side: 'input' | 'output',
  ): { json: JsonSchema; validator?: Validator } | undefined {
    const schema = fields[field]
    if (schema === undefined || schema === null) return undefined
    const reading = readSchema(schema, side, options.toJsonSchema)
    if ('problem' in reading) throw invalid(field, reading.problem)
    const unsendable = findUnsendable(reading.json)
    if (unsendable) throw invalid(join(field, unsendable.path), unsendable.problem)
    for (const { path, ...rest } of checkSchema(reading.json)) {
      problems.push({ path: join(field, path), ...rest })
    }
    if (side === 'output' || hasObjectRoot(reading.json)) return reading
    const type = JSON.stringify(reading.json.type)
    problems.push({
      path: join(field, 'type'),
      problem: `is ${type}, but the arguments of a call are always an object`,
      fix: 'use "object" and make the value a property',
    })
    // its validator would reject every call
    return { json: reading.json }
  }

  function readRequestFields(): RequestFields {
    const strict = optional('strict', 'boolean')
    const inputExamples = readList('inputExamples', isObject, 'an array of objects')
    const allowedCallers = readList('allowedCallers', isString, 'an array of strings')
    const cacheControl = optional('cacheControl', 'object')
    const unsendable = inputExamples && findUnsendable({ inputExamples })
    if (unsendable) throw invalid(unsendable.path, unsendable.problem)
    return {
      ...(strict && { strict }),
      ...(inputExamples && { inputExamples }),
      ...(allowedCallers && { allowedCallers }),
      ...(cacheControl && { cacheControl: cacheControl as unknown as CacheControl }),
    }
  }

  function readList<Item>(
    field: string,
    isItem: (value: unknown) => value is Item,
    expected: string,
  ): readonly Item[] | undefined {
    const value = fields[field] ?? undefined
    if (value === undefined || (Array.isArray(value) && value.every(isItem))) return value
    throw invalid(field, `must be ${expected}`)
  }

  function readTags(): readonly string[] {
    const tags = fields.tags ?? []
    if (isListOfStrings(tags)) return tags
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

function unknownField(
  { field, meant }: { field: string; meant: string },
  name: string,
  place?: string,
): InvalidToolError {
  const problem = `there is no field "${field}"; did you mean "${meant}"?`
  return new InvalidToolError(name, field, problem, place, '')
}

function placeOf({ index, key }: ReadOptions): string {
  if (key !== undefined) return `Tool "${key}"`
  return index === undefined ? 'A tool definition' : `The tool at index ${index}`
}

function join(field: string, path: string): string {
  return path === '' ? field : `${field}.${path}`
}

function readName(name: unknown, place: string): string {
  if (typeof name !== 'string' || name.trim() === '') {
    const got = name === '' ? 'an empty string' : kindOf(name)
    throw new InvalidToolError('', 'name', `must be a non-empty string, got ${got}`, `${place}:`)
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

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function withArticle(type: string): string {
  return type === 'object' ? 'an object' : `a ${type}`
}
