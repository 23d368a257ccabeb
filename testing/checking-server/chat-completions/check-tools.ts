import { checkName, checkSchema, checkStrict } from '../openai/check-function.ts'
import { emptyArray, openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { type ChatBody, isDeferred } from './chat-body.ts'

/** Checks the number of tools, their names and their schemas. */
export function checkTools(
  maxTools: number,
  maxNameLength: number,
): (body: ChatBody) => Problem | undefined {
  return ({ tools }) => {
    if (!tools) return undefined
    if (tools.length === 0) return emptyArray('tools')
    // Deferred tools are not part of the prompt, and no endpoint documents a limit for them.
    const listed = tools.filter((tool) => !isDeferred(tool)).length
    if (listed > maxTools) {
      return openaiProblem(
        400,
        `Invalid 'tools': array too long. Expected an array with maximum length ${maxTools}, but got an array with length ${listed} instead.`,
        { param: 'tools', code: 'array_above_max_length' },
      )
    }
    const seen = new Set<string>()
    for (const [index, tool] of tools.entries()) {
      if (tool.type !== 'function') continue
      const param = `tools[${index}].function`
      const { name, parameters, strict } = tool.function!
      const problem =
        checkName(name, `${param}.name`, maxNameLength) ??
        checkSchema(name!, parameters, `${param}.parameters`) ??
        (strict ? checkStrict(name!, parameters, `${param}.parameters`) : undefined)
      if (problem) return problem
      if (seen.has(name!)) {
        return openaiProblem(400, 'Tool names must be unique.', { param: `${param}.name` })
      }
      seen.add(name!)
    }
    return undefined
  }
}
