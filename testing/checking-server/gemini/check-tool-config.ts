import type { Problem } from '../problem.ts'
import type { GeminiBody } from './gemini-body.ts'
import { geminiProblem } from './gemini-problem.ts'

const RESTRICTING_MODES = ['ANY', 'VALIDATED']

/** `allowedFunctionNames` requires the mode ANY or VALIDATED, and must name declared functions. */
export function checkToolConfig({ tools = [], toolConfig }: GeminiBody): Problem | undefined {
  const { mode = 'AUTO', allowedFunctionNames: allowed = [] } =
    toolConfig?.functionCallingConfig ?? {}
  if (allowed.length === 0) return undefined
  if (!RESTRICTING_MODES.includes(mode)) {
    return geminiProblem(
      400,
      'Function calling config is set with allowed_function_names, which should be set only when function calling mode is ANY or VALIDATED.',
    )
  }
  const declared = tools.flatMap(({ functionDeclarations = [] }) =>
    functionDeclarations.map(({ name }) => name),
  )
  const unknown = allowed.find((name) => !declared.includes(name))
  if (unknown === undefined) return undefined
  return geminiProblem(
    400,
    `allowed_function_names contains '${unknown}', which is not in function_declarations.`,
  )
}
