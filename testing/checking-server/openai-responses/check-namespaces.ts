import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import { placedFunctions } from './placed-functions.ts'
import { itemsOf, type ResponsesBody, toolLists } from './responses-body.ts'

/** A call in the history must have the namespace of its function. */
export function checkNamespaces(body: ResponsesBody): Problem | undefined {
  const functions = placedFunctions(body)
  for (const [index, { type, name, namespace }] of itemsOf(body).entries()) {
    if (type !== 'function_call' || namespace) continue
    const known = functions.filter(({ tool }) => tool.name === name)
    // The history may contain calls to removed tools.
    if (known.length === 0) continue
    if (known.some((place) => place.namespace === undefined)) continue
    return openaiProblem(
      400,
      `Missing namespace for function_call '${name}'. It does not exist in the default namespace. Round-trip the model's function_call item with its namespace field included.`,
      { param: `input[${index}].namespace` },
    )
  }
  return undefined
}

/**
 * No namespace may appear twice in the whole request. DeepSeek requires this, and so does at least one
 * backend of OpenAI.
 * @see https://github.com/openai/codex/issues/44378
 */
export function checkUniqueNamespaces(body: ResponsesBody): Problem | undefined {
  const seen = new Set<string | undefined>()
  for (const { param, tools } of toolLists(body)) {
    for (const [index, { type, name }] of tools.entries()) {
      if (type !== 'namespace') continue
      if (seen.has(name)) {
        return openaiProblem(
          400,
          `Duplicate namespace name '${name}' in ${param}[${index}]. Namespace names must be unique.`,
          { code: 'invalid_request_error' },
        )
      }
      seen.add(name)
    }
  }
  return undefined
}
