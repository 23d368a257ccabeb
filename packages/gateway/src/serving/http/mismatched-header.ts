import { headerParams } from '../../protocol/param-headers.ts'

const ENCODED = /^=\?base64\?(.*)\?=$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/**
 * Why the headers of a call do not say what its arguments do, or nothing.
 *
 * A tool asks by `x-mcp-header` in its schema that a call repeats some arguments in headers, for
 * proxies on the way (2026-07-28). What they decide by must be what is carried out.
 *
 * @param header gives the value of a header, or null
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
  // what has no text is not sent
  if (!['string', 'number', 'boolean'].includes(typeof value)) return undefined
  if (sent === null) return 'is missing'
  const told = decode(sent)
  if (told === undefined) return 'is encoded wrongly'
  const isSame =
    typeof value === 'number' && DECIMAL.test(told)
      ? Number(told) === value
      : told === String(value)
  return isSame ? undefined : 'is not what the arguments say'
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
