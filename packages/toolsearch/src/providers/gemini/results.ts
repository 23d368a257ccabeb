import { isObject } from '../../is-object.ts'
import { describedTools } from '../described-tools.ts'
import type { ToolResult } from '../provider.ts'
import { idFromModel } from './decode.ts'
import { type GeminiContent, type Part, partsOf } from './parts.ts'

/** Puts all results of a reply into one content, which must contain nothing else. */
export function render(results: readonly ToolResult[]): GeminiContent[] {
  return [{ role: 'user', parts: results.map(functionResponse) }]
}

// The text stays a string, even if it is JSON: `revealed` and `rebuild` parse it from the history.
function functionResponse({ call, text, isError, native }: ToolResult): Part {
  if (native) return native
  const id = idFromModel(call.id)
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      name: call.name,
      response: isError ? { error: text } : { output: text },
    },
  }
}

/** The tools whose schemas the responses contain. */
export function revealed(messages: readonly GeminiContent[]): Set<string> {
  return new Set(
    messages
      .flatMap(partsOf)
      .flatMap(({ functionResponse: response }) => describedInResponse(response)),
  )
}

function describedInResponse(response: unknown): string[] {
  if (!isObject(response) || !isObject(response.response)) return []
  const { output, error } = response.response
  return [output, error].flatMap((text) => (typeof text === 'string' ? describedTools(text) : []))
}
