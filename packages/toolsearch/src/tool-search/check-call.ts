import type { Tool } from '../catalogue/tool.ts'
import { closestNames } from '../ranking/closest-names.ts'
import { checkArguments, type ValidateArguments } from './check-arguments.ts'
import { type Answer, jsonAnswer } from './search-answer.ts'
import type { SearchView } from './search-view.ts'

/** A tool call as any provider gives it. `arguments` may be an object or JSON text. */
export interface ToolCall {
  readonly name: string
  readonly arguments?: unknown
  /** What the caller has already found wrong with it, in sentences for the model. */
  readonly problems?: readonly string[]
}

/** A call that may run, or the answer the model should get in its place. */
export type CallCheck =
  | { readonly ok: true; readonly tool: Tool; readonly arguments: unknown }
  | { readonly ok: false; readonly tool?: Tool; readonly answer: Answer }

export interface CheckCallOptions {
  readonly view: SearchView
  readonly searchToolName: string
  /** Whether the model has not seen this tool's schema, so that it can only have guessed. */
  readonly isUnloaded: (tool: Tool) => boolean
  readonly validate?: ValidateArguments | undefined
}

/**
 * Looks at a call before it runs. A call that cannot succeed is answered with what the next one
 * needs: the closest names, or the schema and what was wrong.
 */
export function checkCall(call: ToolCall, options: CheckCallOptions): CallCheck {
  const { view, searchToolName, isUnloaded, validate } = options
  const tool = view.get(call.name)
  if (tool === undefined) {
    const closest = closestNames(call.name, view.tools())
    const message =
      closest.length > 0
        ? `There is no tool named "${call.name}". Close to it: ${closest.join(', ')}.`
        : `There is no tool named "${call.name}". Find one with ${searchToolName}.`
    return { ok: false, answer: jsonAnswer({ error: message, closest }, { isError: true }) }
  }

  if (isUnloaded(tool)) {
    return wrong(tool, `"${tool.name}" was called before it was loaded. It is loaded now`, [])
  }
  const read = readCallArguments(call.arguments)
  const found = 'problem' in read ? [read.problem] : (call.problems ?? [])
  if ('problem' in read || found.length > 0) {
    return wrong(tool, `The call of "${tool.name}" was not run`, found)
  }
  const problems = findProblems(tool, read.value, validate)
  if (problems.length > 0) {
    return wrong(tool, `The arguments of "${tool.name}" do not fit its schema`, problems)
  }
  return { ok: true, tool, arguments: read.value }
}

function wrong(tool: Tool, message: string, problems: readonly string[]): CallCheck {
  const data = {
    error: `${message}: call it again with arguments that fit inputSchema.`,
    ...(problems.length > 0 && { problems }),
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  }
  return { ok: false, tool, answer: jsonAnswer(data, { isError: true }) }
}

function readCallArguments(given: unknown): { value: unknown } | { problem: string } {
  if (given === undefined || given === null || given === '') return { value: {} }
  if (typeof given !== 'string') return { value: given }
  try {
    return { value: JSON.parse(given) }
  } catch (error) {
    return { problem: `the arguments are not valid JSON: ${(error as Error).message}` }
  }
}

function findProblems(
  tool: Tool,
  value: unknown,
  validate: ValidateArguments | undefined,
): readonly string[] {
  try {
    return (validate ?? checkArguments)(tool.inputSchema, value)
  } catch {
    return checkArguments(tool.inputSchema, value)
  }
}
