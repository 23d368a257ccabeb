import { missingParameter, openaiProblem, unknownParameter } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ChatBody } from './chat-body.ts'

const TOOL = ['type', 'function']
const FUNCTION = ['name', 'description', 'parameters', 'strict']

/**
 * Rejects unknown fields of tools. Fields of the request are not checked, because every endpoint has its
 * own.
 */
export function checkFields(body: ChatBody): Problem | undefined {
  if (!body.model) return missingParameter('model')
  if (!body.messages) return missingParameter('messages')
  for (const list of ['messages', 'tools'] as const) {
    if (body[list] !== undefined && !Array.isArray(body[list])) {
      return openaiProblem(400, `Invalid type for '${list}': expected an array of objects.`, {
        param: list,
        code: 'invalid_type',
      })
    }
  }
  for (const [index, tool] of (body.tools ?? []).entries()) {
    if (tool.type !== 'function') continue
    const param = `tools[${index}]`
    if (!tool.function) return missingParameter(`${param}.function`)
    const extra = Object.keys(tool).find((field) => !TOOL.includes(field))
    if (extra !== undefined) return unknownParameter(`${param}.${extra}`)
    const inner = Object.keys(tool.function).find((field) => !FUNCTION.includes(field))
    if (inner !== undefined) return unknownParameter(`${param}.function.${inner}`)
  }
  return undefined
}
