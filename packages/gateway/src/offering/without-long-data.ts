import type { CallResult } from './large-results.ts'

/**
 * Data beyond the limit become a text, which can be cut and read on, unless a text says them already.
 * Only for what is called through a call tool: who calls a listed tool may hold it to its output schema.
 */
export function withoutLongData(result: CallResult, limit: number): CallResult {
  const { structuredContent, ...rest } = result
  if (structuredContent === undefined) return result
  const json = JSON.stringify(structuredContent)
  if (json.length <= limit) return result
  const { content = [] } = rest
  // servers are to repeat their data as a text, indented or not
  const isTold = content.some(({ text }) => typeof text === 'string' && text.length >= json.length)
  return isTold ? rest : { ...rest, content: [...content, { type: 'text', text: json }] }
}
