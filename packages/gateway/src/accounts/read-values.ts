import { LONGEST_SECRET } from '../config/secret-mask.ts'
import { isObject } from '../protocol/json-object.ts'

const MAX_BODY_CHARS = 256_000
const EXAMPLE = '{ "values": { "API_KEY": "…" } }'

/**
 * Reads the values that a person enters for `${person:NAME}`. The problem never repeats a value.
 *
 * @param names the values that the server uses
 * @param kind values for HTTP headers must be a single line
 */
export function readValues(
  body: string,
  names: readonly string[],
  kind: 'stdio' | 'http' | 'sse',
): { readonly values: Readonly<Record<string, string>> } | { readonly problem: string } {
  if (names.length === 0) return { problem: 'This server uses no values of people.' }
  const values = body.length > MAX_BODY_CHARS ? undefined : parse(body)
  if (!isObject(values)) return { problem: `The body must be JSON such as ${EXAMPLE}.` }
  const entries = Object.entries(values)
  if (entries.length === 0) return { problem: `Enter at least one value: ${EXAMPLE}.` }
  for (const [name, value] of entries) {
    if (!names.includes(name)) {
      return {
        problem: `The server does not use a value with this name. Use: ${names.join(', ')}.`,
      }
    }
    if (typeof value !== 'string' || value.trim() === '' || value.length > LONGEST_SECRET) {
      return {
        problem: `${name} must be a text of 1 to ${LONGEST_SECRET.toLocaleString('en')} characters.`,
      }
    }
    const isInvalid = kind === 'stdio' ? value.includes('\0') : !isHeaderValue(value)
    if (isInvalid) return { problem: `${name} contains characters that are not allowed.` }
  }
  return { values: values as Record<string, string> }
}

/** Line breaks would start another header. Characters beyond Latin-1 cannot be sent. */
function isHeaderValue(value: string): boolean {
  return /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
}

function parse(text: string): unknown {
  try {
    return (JSON.parse(text) as { values?: unknown } | null)?.values
  } catch {
    return undefined
  }
}
