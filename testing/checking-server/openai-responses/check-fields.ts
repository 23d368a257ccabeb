import { missingParameter, openaiProblem, unknownParameter } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { type ResponsesBody, toolLists } from './responses-body.ts'

const TOP_LEVEL = new Set(
  'access_programs background context_management conversation image include input instructions max_output_tokens max_tool_calls metadata model moderation parallel_tool_calls previous_response_id prompt prompt_cache_key prompt_cache_options prompt_cache_retention reasoning safety_identifier service_tier store stream stream_options temperature text tool_choice tools top_logprobs top_p truncation user'.split(
    ' ',
  ),
)
const FIELDS: Record<string, Set<string>> = {
  function: new Set(
    'type name description parameters strict defer_loading allowed_callers async output_schema'.split(
      ' ',
    ),
  ),
  // Functions in a namespace may be deferred, but not the namespace itself.
  namespace: new Set(['type', 'name', 'description', 'tools']),
  tool_search: new Set(['type', 'execution', 'description', 'parameters']),
}

/** Rejects unknown fields. */
export function checkFields(body: ResponsesBody): Problem | undefined {
  if (!body.model) return missingParameter('model')
  if (body.tools !== undefined && !Array.isArray(body.tools)) {
    return openaiProblem(400, "Invalid type for 'tools': expected an array of objects.", {
      param: 'tools',
      code: 'invalid_type',
    })
  }
  const extra = Object.keys(body).find((field) => !TOP_LEVEL.has(field))
  if (extra !== undefined) return unknownParameter(extra)

  for (const { param, tools } of toolLists(body)) {
    for (const [index, tool] of tools.entries()) {
      const fields = FIELDS[tool.type]
      const unknown = fields && Object.keys(tool).find((field) => !fields.has(field))
      if (unknown !== undefined) return unknownParameter(`${param}[${index}].${unknown}`)
    }
  }
  return undefined
}
