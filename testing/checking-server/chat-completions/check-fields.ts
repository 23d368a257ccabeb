import { missingParameter, openaiProblem, unknownParameter } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ChatBody } from './chat-body.ts'
import type { ChatDeferral } from './check-deferral.ts'

const TOOL = ['type', 'function']
const FUNCTION = ['name', 'description', 'parameters', 'strict']

/**
 * Rejects unknown fields of tools. Fields of the request are not checked, because every endpoint has its
 * own.
 */
export function checkFields(
  deferral: ChatDeferral | undefined,
): (body: ChatBody) => Problem | undefined {
  const extra = deferral === undefined ? [] : ['defer_loading']
  const toolFields = [...TOOL, ...extra]
  const functionFields = [...FUNCTION, ...extra]
  return (body) => checkLists(body) ?? checkToolFields(body, toolFields, functionFields)
}

function checkLists(body: ChatBody): Problem | undefined {
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
  return undefined
}

function checkToolFields(
  body: ChatBody,
  toolFields: readonly string[],
  functionFields: readonly string[],
): Problem | undefined {
  for (const [index, tool] of (body.tools ?? []).entries()) {
    if (tool.type !== 'function') continue
    const param = `tools[${index}]`
    if (!tool.function) return missingParameter(`${param}.function`)
    const extra = Object.keys(tool).find((field) => !toolFields.includes(field))
    if (extra !== undefined) return unknownParameter(`${param}.${extra}`)
    const inner = Object.keys(tool.function).find((field) => !functionFields.includes(field))
    if (inner !== undefined) return unknownParameter(`${param}.function.${inner}`)
  }
  return undefined
}
