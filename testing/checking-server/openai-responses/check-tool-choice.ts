import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { placedFunctions } from './placed-functions.ts'
import type { ResponsesBody, Tool } from './responses-body.ts'

/** A `tool_choice` must name functions of the request. `allowed_tools` must not name deferred ones. */
export function checkToolChoice(body: ResponsesBody): Problem | undefined {
  const choice = body.tool_choice
  if (typeof choice !== 'object' || choice === null) return undefined
  if (choice.type === 'allowed_tools') {
    const unknown = (choice.tools ?? []).find((tool) => !isAllowable(tool, body.tools ?? []))
    return unknown && notFound(unknown.name ?? unknown.type)
  }
  if (choice.type !== 'function') {
    const declared = (body.tools ?? []).some((tool) => isChosen(tool, choice))
    return declared ? undefined : notFound(choice.name ?? choice.type)
  }
  const known = placedFunctions(body).some(({ tool }) => tool.name === choice.name)
  return known ? undefined : notFound(choice.name ?? '')
}

function isChosen({ type, name }: Tool, choice: { type: string; name?: string }): boolean {
  return type === choice.type && (choice.type !== 'custom' || name === choice.name)
}

function isAllowable({ type, name }: Tool, declared: readonly Tool[]): boolean {
  if (type === 'tool_search') return false
  return declared.some(
    (tool) => tool.type === type && tool.name === name && tool.defer_loading !== true,
  )
}

function notFound(name: string): Problem {
  return openaiProblem(400, `Tool choice '${name}' not found in 'tools' parameter.`, {
    param: 'tool_choice',
  })
}
