import type { Tool } from '../catalogue/tool.ts'
import { closestNames } from '../ranking/closest-names.ts'
import type { AnsweredCall, CallResult } from './call-result.ts'
import { findProblems, type ValidateArguments } from './check-arguments.ts'
import { tryParseArguments } from './parse-arguments.ts'
import { jsonAnswer } from './search-answer.ts'
import type { SearchView } from './search-view.ts'
import type { ToolCall } from './tool-call.ts'

export interface CheckCallOptions {
  readonly view: SearchView
  /** Absent if the model cannot search. */
  readonly searchToolName?: string
  /** Whether the model does not have the tool's schema and must have guessed the arguments. */
  readonly isHidden: (tool: Tool) => boolean
  /**
   * Whether a tool with this name was loaded, even if it no longer exists.
   * @default never
   */
  readonly wasLoaded?: (name: string) => boolean
  readonly validate?: ValidateArguments | undefined
}

/**
 * Checks a call before it is executed. The answer to a call that cannot succeed contains what the
 * model needs for its next attempt: similar names, or the schema and the problems.
 *
 * @throws InvalidValidatorError
 */
export async function checkCall(call: ToolCall, options: CheckCallOptions): Promise<CallResult> {
  const { view, searchToolName, isHidden, validate } = options
  const id = call.id !== undefined && { id: call.id }
  const tool = view.get(call.name)
  if (tool?.skill) {
    const read = searchToolName && ` Read it with ${searchToolName} and "select:${tool.name}".`
    const error = `"${tool.name}" is a skill, which cannot be called.${read ?? ''}`
    return {
      kind: 'answered',
      reason: 'unknown-tool',
      ...id,
      ...jsonAnswer({ error }, { isError: true }),
    }
  }
  if (tool === undefined) {
    const closest = closestNames(call.name, view.tools())
    const advice = searchToolName && `Use ${searchToolName} to find one.`
    const similar = closest.length > 0 ? `Similar names: ${closest.join(', ')}.` : advice
    const problem = options.wasLoaded?.(call.name)
      ? `The tool "${call.name}" is no longer available.`
      : `There is no tool named "${call.name}".`
    const message = [problem, similar].filter(Boolean).join(' ')
    const answer = jsonAnswer({ error: message, closest }, { isError: true })
    return { kind: 'answered', reason: 'unknown-tool', ...id, ...answer }
  }

  if (isHidden(tool)) {
    const message = `Tool "${tool.name}" wasn't loaded yet, so the call was not executed. It is loaded now.`
    return { ...id, ...rejectCall(tool, 'not-loaded', message) }
  }
  const parsed = tryParseArguments(call.arguments)
  const known = 'problem' in parsed ? [parsed.problem] : (call.problems ?? [])
  if ('problem' in parsed || known.length > 0) {
    const message = `The call to "${tool.name}" was not executed.`
    return { ...id, ...rejectCall(tool, 'invalid-arguments', message, known) }
  }
  const checked = await findProblems(tool, parsed.value, validate)
  if ('problems' in checked) {
    const message = `The arguments for "${tool.name}" do not match its schema.`
    return { ...id, ...rejectCall(tool, 'invalid-arguments', message, checked.problems) }
  }
  return { kind: 'run', ...id, tool, arguments: checked.value }
}

function rejectCall(
  tool: Tool,
  reason: AnsweredCall['reason'],
  message: string,
  problems: readonly string[] = [],
): AnsweredCall {
  const data = {
    error: `${message} Call it again with arguments that match inputSchema.`,
    ...(problems.length > 0 && { problems }),
    name: tool.name,
    description: tool.description,
    inputSchema: tool.inputSchema,
  }
  return { kind: 'answered', reason, tool, ...jsonAnswer(data, { isError: true }) }
}
