import { isObject } from '../protocol/json-object.ts'

const KEYS = ['message', 'error', 'detail', 'error_description', 'title', 'reason', 'text']

/**
 * The message in an error text. Many servers return errors as JSON, and people want the sentence in it.
 *
 * @example
 * plainMessage('{"error":{"code":404,"message":"Not found"}}') // 'Not found'
 * plainMessage('MCP error -32602: Unknown tool') // 'Unknown tool'
 */
export function plainMessage(text: string): string {
  const start = text.search(/[{[]/)
  const isJson = start >= 0 && /[}\]]\s*$/.test(text)
  const message = isJson && messageIn(parse(text.slice(start)), 0)
  const before = isJson && message ? text.slice(0, start).trim() : ''
  const plain = message ? [before, message].filter(Boolean).join(' ') : text
  return plain.replace(/^(?:MCP error -?\d+:\s*)+/, '').trim() || text
}

function messageIn(value: unknown, depth: number): string | undefined {
  if (depth > 4) return undefined
  if (typeof value === 'string') return value.trim() === '' ? undefined : value
  if (Array.isArray(value)) {
    const messages = value.slice(0, 3).flatMap((item) => messageIn(item, depth + 1) ?? [])
    return messages.length > 0 ? messages.join('; ') : undefined
  }
  if (!isObject(value)) return undefined
  for (const key of KEYS) {
    const found = messageIn(value[key], depth + 1)
    if (found !== undefined) return found
  }
  return messageIn(value.errors, depth + 1)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
