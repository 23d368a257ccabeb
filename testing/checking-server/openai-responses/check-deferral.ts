import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { isDeferred, type ResponsesBody } from './responses-body.ts'

const VERSION = /^gpt-(\d+)(?:\.(\d+))?/

/** Deferred tools and hosted search require each other and a model that supports them. */
export function checkDeferral({ model = '', tools = [] }: ResponsesBody): Problem | undefined {
  const search = tools.find((tool) => tool.type === 'tool_search')
  const deferred = tools.some(isDeferred)
  if (deferred && !search) {
    return openaiProblem(
      400,
      "Invalid Value: 'tools.defer_loading'. Deferred tools require tools.tool_search.",
      { param: 'tools.defer_loading', code: 'invalid_value' },
    )
  }
  if (search && search.execution !== 'client' && !deferred) {
    return openaiProblem(
      400,
      "Invalid Value: 'tools.tool_search'. tools.tool_search requires at least one deferred tool.",
      { param: 'tools.tool_search', code: 'invalid_value' },
    )
  }
  if (search && isTooOld(model)) {
    return openaiProblem(400, `Tool 'tool_search' is not supported with ${model}.`, {
      param: 'tools',
    })
  }
  return undefined
}

// Other names belong to models of other vendors, which may support anything.
function isTooOld(model: string): boolean {
  if (/^o\d/.test(model)) return true
  const [, major, minor = '0'] = VERSION.exec(model) ?? []
  if (major === undefined) return false
  return Number(major) < 5 || (Number(major) === 5 && Number(minor) < 4)
}
