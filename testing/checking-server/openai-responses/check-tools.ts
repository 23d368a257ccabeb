import { checkName, checkSchema, checkStrict } from '../openai/check-function.ts'
import { emptyArray, missingParameter, openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { type ResponsesBody, type Tool, toolLists } from './responses-body.ts'

const CALLERS = ['direct', 'programmatic']

/** Checks names, schemas and namespaces in every tool list of the request. */
export function checkTools(body: ResponsesBody): Problem | undefined {
  for (const { param, tools } of toolLists(body)) {
    const problem = checkList(tools, param)
    if (problem) return problem
  }
  return undefined
}

function checkList(tools: readonly Tool[], param: string): Problem | undefined {
  const seen = new Set<string>()
  for (const [index, tool] of tools.entries()) {
    if (tool.type !== 'function' && tool.type !== 'namespace') continue
    const here = `${param}[${index}]`
    const problem =
      checkName(tool.name, `${here}.name`, 64) ??
      (tool.type === 'namespace' ? checkNamespace(tool, here) : checkFunction(tool, here))
    if (problem) return problem
    const key = `${tool.type} ${tool.name}`
    if (seen.has(key)) return duplicate(tool, here)
    seen.add(key)
  }
  return undefined
}

function checkNamespace(tool: Tool, here: string): Problem | undefined {
  if (!tool.description) return missingParameter(`${here}.description`)
  if (!tool.tools?.length) return emptyArray(`${here}.tools`)
  return checkList(tool.tools, `${here}.tools`)
}

function checkFunction(tool: Tool, here: string): Problem | undefined {
  const unknown = tool.allowed_callers?.find((caller) => !CALLERS.includes(caller))
  if (unknown !== undefined) {
    return openaiProblem(400, `Invalid value: '${unknown}'. Supported values are: ${CALLERS}.`, {
      param: `${here}.allowed_callers`,
      code: 'invalid_value',
    })
  }
  return (
    checkSchema(tool.name!, tool.parameters, `${here}.parameters`) ??
    (tool.strict ? checkStrict(tool.name!, tool.parameters, `${here}.parameters`) : undefined)
  )
}

function duplicate({ type, name }: Tool, param: string): Problem {
  const [kind, Kind] = type === 'namespace' ? ['namespace', 'Namespace'] : ['tool', 'Tool']
  return openaiProblem(
    400,
    `Duplicate ${kind} name '${name}' in ${param}. ${Kind} names must be unique.`,
    { code: 'invalid_request_error' },
  )
}
