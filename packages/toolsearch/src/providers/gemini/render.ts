import type { CallResult } from '../provider.ts'
import type { GeminiContent, Part } from './parts.ts'
import { givenId } from './place-id.ts'

/** All results of one reply go into one content, which may hold nothing else. */
export function render(results: readonly CallResult[]): GeminiContent[] {
  return [{ role: 'user', parts: results.map(functionResponse) }]
}

// the text of a result goes as it is: its JSON is read from the history again
function functionResponse({ call, text, isError }: CallResult): Part {
  const id = givenId(call.id)
  return {
    functionResponse: {
      ...(id !== undefined && { id }),
      name: call.name,
      response: isError ? { error: text } : { output: text },
    },
  }
}
