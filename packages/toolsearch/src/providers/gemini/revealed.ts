import { isObject } from '../../is-object.ts'
import { toldTools } from '../told-tools.ts'
import { type GeminiContent, partsOf } from './parts.ts'

/** The names whose schemas stand in responses. */
export function revealed(messages: readonly GeminiContent[]): Set<string> {
  return new Set(
    messages.flatMap(partsOf).flatMap(({ functionResponse }) => told(functionResponse)),
  )
}

function told(response: unknown): string[] {
  if (!isObject(response) || !isObject(response.response)) return []
  const { output, error } = response.response
  return [output, error].flatMap((text) => (typeof text === 'string' ? toldTools(text) : []))
}
