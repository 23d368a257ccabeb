import { openaiProblem } from '../openai/openai-problem.ts'
import type { Problem } from '../problem.ts'
import type { ResponsesBody } from './responses-body.ts'
import { toolLists } from './tool-lists.ts'

/**
 * No namespace is named twice in the whole request.
 *
 * DeepSeek wants this, and so does at least one backend of OpenAI.
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
