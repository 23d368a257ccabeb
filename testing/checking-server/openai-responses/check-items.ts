import { missingParameter, openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { type Item, itemsOf, type ResponsesBody } from './responses-body.ts'

/** Items related to tools must have the fields of their type, and no item may appear twice. */
export function checkItems(body: ResponsesBody): Problem | undefined {
  const seen = new Set<string>()
  for (const [index, item] of itemsOf(body).entries()) {
    const problem = checkItem(item, `input[${index}]`)
    if (problem) return problem
    if (!item.id) continue
    if (seen.has(item.id)) return duplicate(item.id)
    seen.add(item.id)
  }
  return undefined
}

function checkItem(item: Item, param: string): Problem | undefined {
  switch (item.type) {
    case 'additional_tools':
      if (item.role !== 'developer') return invalidRole(item.role, `${param}.role`)
      return item.tools ? undefined : missingParameter(`${param}.tools`)
    case 'tool_search_call':
      return item.arguments === undefined ? missingParameter(`${param}.arguments`) : undefined
    case 'tool_search_output':
      return item.tools ? undefined : missingParameter(`${param}.tools`)
    case 'function_call':
      return typeof item.arguments === 'string' ? undefined : notAString(`${param}.arguments`)
    default:
      return undefined
  }
}

function invalidRole(role: string | undefined, param: string): Problem {
  return openaiProblem(400, `Invalid value: '${role}'. Supported values are: 'developer'.`, {
    param,
    code: 'invalid_value',
  })
}

function notAString(param: string): Problem {
  return openaiProblem(400, `Invalid type for '${param}': expected a string.`, {
    param,
    code: 'invalid_type',
  })
}

function duplicate(id: string): Problem {
  return openaiProblem(
    400,
    `Duplicate item found with id ${id}. Remove duplicate items from your input and try again.`,
    { param: 'input' },
  )
}
