import { missingParameter, openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { type Item, itemsOf, type ResponsesBody } from './responses-body.ts'

/** Items related to tools must have the fields of their type, and no item may appear twice. */
export function checkItems(body: ResponsesBody): Problem | undefined {
  const seen = new Set<string>()
  const items = itemsOf(body)
  for (const [index, item] of items.entries()) {
    const problem = checkItem(item, `input[${index}]`)
    if (problem) return problem
    if (item.type === 'compaction_trigger' && index < items.length - 1) return misplacedTrigger()
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
    case 'custom_tool_call':
      return typeof item.input === 'string' ? undefined : notAString(`${param}.input`)
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
      return isTextOrList(item) ? undefined : notAString(`${param}.output`)
    case 'shell_call_output':
      return Array.isArray(item.output) ? undefined : missingParameter(`${param}.output`)
    case 'computer_call_output':
      return isScreenshot(item.output) ? undefined : missingParameter(`${param}.output`)
    case 'apply_patch_call_output':
      return ['completed', 'failed'].includes(item.status ?? '')
        ? undefined
        : missingParameter(`${param}.status`)
    case 'compaction':
      return typeof item.encrypted_content === 'string'
        ? undefined
        : missingParameter(`${param}.encrypted_content`)
    default:
      return undefined
  }
}

function isTextOrList({ type, output }: Item): boolean {
  return typeof output === 'string' || (type !== 'local_shell_call_output' && Array.isArray(output))
}

function isScreenshot(output: unknown): boolean {
  const { type, image_url, file_id } = (output ?? {}) as Record<string, unknown>
  return type === 'computer_screenshot' && typeof (image_url ?? file_id) === 'string'
}

function misplacedTrigger(): Problem {
  return openaiProblem(400, "'compaction_trigger' must be the final input item.", {
    param: 'input',
  })
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
