import { invalidSchema, schemaMismatch } from '../invalid-schema.ts'
import { firstProblem, type Problem } from '../problem.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { type MessagesBody, nativeSearchName, type Tool } from './messages-body.ts'

const NAME = /^[a-zA-Z0-9_-]{1,128}$/
/** Documented for deferred tools. We apply it to all of them together. */
const MAX_TOOLS = 10_000
const TOP_LEVEL_COMBINATORS = ['oneOf', 'allOf', 'anyOf']

/** Checks the number of tools, their names and schemas, and which of them are deferred. */
export function checkTools({ tools = [] }: MessagesBody): Problem | undefined {
  if (tools.length > MAX_TOOLS) {
    return anthropicProblem(
      400,
      `tools: List should have at most ${MAX_TOOLS} items after validation, not ${tools.length}`,
      'available_tools_limit_exceeded',
    )
  }
  for (const [index, tool] of tools.entries()) {
    const problem = firstProblem(
      [checkName, checkSchema, checkOptionalFields, checkDeferral],
      tool,
      `tools.${index}`,
    )
    if (problem) return problem
  }
  const names = tools.flatMap((tool) => (tool.name === undefined ? [] : [tool.name]))
  if (new Set(names).size < names.length) {
    return anthropicProblem(400, 'tools: Tool names must be unique.')
  }
  if (tools.length > 0 && tools.every(isDeferred)) {
    return anthropicProblem(
      400,
      'At least one tool must have defer_loading=false. All tools cannot be deferred.',
    )
  }
  return undefined
}

function checkName({ type, name }: Tool, path: string): Problem | undefined {
  const native = nativeSearchName(type)
  if (native !== undefined && name !== native) {
    return anthropicProblem(400, `${path}.${type}.name: Input should be '${native}'`)
  }
  if (isCustom(type) && !NAME.test(name ?? '')) {
    return anthropicProblem(
      400,
      `${path}.custom.name: String should match pattern '${NAME.source}'`,
    )
  }
  return undefined
}

function checkSchema({ type, input_schema: schema }: Tool, path: string): Problem | undefined {
  if (!isCustom(type)) return undefined
  if (!schema) return anthropicProblem(400, `${path}.custom.input_schema: Field required`)
  if (schema.type !== 'object') {
    return anthropicProblem(400, `${path}.custom.input_schema.type: Input should be 'object'`)
  }
  if (TOP_LEVEL_COMBINATORS.some((keyword) => keyword in schema)) {
    return anthropicProblem(
      400,
      `${path}.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`,
    )
  }
  if (invalidSchema(schema) !== undefined) {
    return anthropicProblem(
      400,
      `${path}.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12 (https://json-schema.org/draft/2020-12).`,
    )
  }
  return undefined
}

const CALLER = /^(?:direct|code_execution_(?:20250825|20260120|20260521))$/

function checkOptionalFields(tool: Tool, path: string): Problem | undefined {
  const { name, type, input_schema: schema, input_examples, allowed_callers, strict } = tool
  if (!isCustom(type)) return undefined
  const caller = allowed_callers?.find((value) => !CALLER.test(value))
  if (caller !== undefined) {
    return anthropicProblem(400, `${path}.custom.allowed_callers: Input should be 'direct', …`)
  }
  const at =
    input_examples?.findIndex((example) => schemaMismatch(schema, example) !== undefined) ?? -1
  if (at >= 0) {
    return anthropicProblem(
      400,
      `${path}.custom.input_examples.${at}: Example does not match the input_schema of '${name}'`,
    )
  }
  if (!strict) return undefined
  if (allowed_callers?.some((value) => value !== 'direct')) {
    return anthropicProblem(400, `${path}: strict tools cannot be called from code execution`)
  }
  const open = schema?.additionalProperties !== false
  return open
    ? anthropicProblem(
        400,
        `${path}.custom: For 'object' type, 'additionalProperties' must be explicitly set to false`,
      )
    : undefined
}

function checkDeferral(tool: Tool): Problem | undefined {
  if (!tool.defer_loading || !tool.cache_control) return undefined
  return anthropicProblem(
    400,
    `Tool '${tool.name}' cannot have both defer_loading=true and cache_control set. Tools with defer_loading cannot use prompt caching.`,
  )
}

function isCustom(type: string | null | undefined): boolean {
  return !type || type === 'custom'
}

function isDeferred(tool: Tool): boolean {
  return tool.defer_loading === true || tool.default_config?.defer_loading === true
}
