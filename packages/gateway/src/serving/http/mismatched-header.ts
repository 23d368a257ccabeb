import { headerParams } from '../../protocol/param-headers.ts'

const ENCODED = /^=\?base64\?(.*)\?=$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/**
 * Explains which header of a call contradicts the call's arguments. Undefined if they match.
 *
 * With `x-mcp-header` in its schema, a tool asks clients to repeat arguments in headers, so that
 * proxies can act on them (2026-07-28). A proxy must not act on a value that differs from the real one.
 *
 * @param header returns the value of a header, or null
 */
export function mismatchedHeader(
  schema: unknown,
  args: unknown,
  header: (name: string) => string | null,
): string | undefined {
  for (const { name, value } of headerParams(schema, args)) {
    const reason = compare(header(name), value)
    if (reason) return `The header ${name} ${reason}.`
  }
  return undefined
}

function compare(sent: string | null, value: unknown): string | undefined {
  // Clients do not send headers for other types.
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
  if (sent === null) return 'is missing'
  const decoded = decode(sent)
  if (decoded === undefined) return 'is not valid base64'
  const isSame =
    typeof value === 'number' && DECIMAL.test(decoded)
      ? Number(decoded) === value
      : decoded === String(value)
  return isSame ? undefined : 'does not match the arguments'
}

function decode(sent: string): string | undefined {
  const encoded = ENCODED.exec(sent)?.[1]
  if (encoded === undefined) return sent
  if (!BASE64.test(encoded)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'))
  } catch {
    return undefined
  }
}
