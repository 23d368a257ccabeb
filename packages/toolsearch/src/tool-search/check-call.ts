import type { Tool } from '../catalogue/tool.ts'
import { isObject } from '../is-object.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { checkArguments, type ValidateArguments } from './check-arguments.ts'
import { tryParseArguments } from './parse-arguments.ts'
import { type Answer, jsonAnswer } from './search-answer.ts'
import type { SearchView } from './search-view.ts'

/** A tool call from any provider. `arguments` can be an object or JSON text. */
export interface ToolCall {
  readonly name: string
  readonly arguments?: unknown
  /** Problems the caller already found with this call, as sentences for the model. */
  readonly problems?: readonly string[]
}

/** Either a call that can be executed, or the answer to send to the model instead. */
export type CallCheck =
  | { readonly ok: true; readonly tool: Tool; readonly arguments: unknown }
  | { readonly ok: false; readonly tool?: Tool; readonly answer: Answer }

export interface CheckCallOptions {
  readonly view: SearchView
  readonly searchToolName: string
  /** Whether the model has not seen the tool's schema yet and must have guessed the arguments. */
  readonly isUnloaded: (tool: Tool) => boolean
  readonly validate?: ValidateArguments | undefined
}

/**
 * Checks a call before it is executed. The answer to a call that cannot succeed contains what the
 * model needs for its next attempt: similar names, or the schema and the problems.
 */
export function checkCall(call: ToolCall, options: CheckCallOptions): CallCheck {
  const { view, searchToolName, isUnloaded, validate } = options
  const tool = view.get(call.name)
  if (tool === undefined) {
    const closest = closestNames(call.name, view.tools())
    const message =
      closest.length > 0
        ? `There is no tool named "${call.name}". Similar names: ${closest.join(', ')}.`
        : `There is no tool named "${call.name}". Use ${searchToolName} to find one.`
    return { ok: false, answer: jsonAnswer({ error: message, closest }, { isError: true }) }
  }

  if (isUnloaded(tool)) {
    const message = `Tool "${tool.name}" wasn't loaded yet, so the call was not executed. It is loaded now.`
    return rejectCall(tool, message, [])
  }
  const parsed = tryParseArguments(call.arguments)
  const known = 'problem' in parsed ? [parsed.problem] : (call.problems ?? [])
  if ('problem' in parsed || known.length > 0) {
    return rejectCall(tool, `The call to "${tool.name}" was not executed.`, known)
  }
  const problems = findProblems(tool, parsed.value, validate)
  if (problems.length > 0) {
    return rejectCall(tool, `The arguments for "${tool.name}" do not match its schema.`, problems)
  }
  return { ok: true, tool, arguments: parsed.value }
}

function rejectCall(tool: Tool, message: string, problems: readonly string[]): CallCheck {
  const data = {
    error: `${message} Call it again with arguments that match inputSchema.`,
    ...(problems.length > 0 && { problems }),
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  }
  return { ok: false, tool, answer: jsonAnswer(data, { isError: true }) }
}

function findProblems(
  tool: Tool,
  value: unknown,
  validate: ValidateArguments | undefined,
): readonly string[] {
  // A schema with problems cannot be compiled, so the call is executed unchecked.
  if (tool.problems.some(({ path }) => path.startsWith('inputSchema'))) {
    return isObject(value) ? [] : ['the arguments must be an object']
  }
  try {
    return (validate ?? checkArguments)(tool.inputSchema, value)
  } catch {
    return checkArguments(tool.inputSchema, value)
  }
}
