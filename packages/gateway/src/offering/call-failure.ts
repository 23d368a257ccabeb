import type { CallResult } from './large-results.ts'

/** A result that tells the model what went wrong. */
export function failure(message: string): CallResult {
  return { content: [textBlock(message)], isError: true }
}

/** Text as a content block of a result. */
export function textBlock(text: string): { type: 'text'; text: string } {
  return { type: 'text', text }
}
