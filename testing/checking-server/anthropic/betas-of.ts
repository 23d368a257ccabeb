import type { IncomingHttpHeaders } from 'node:http'

/** The betas a request asks for. */
export function betasOf(headers: IncomingHttpHeaders): string[] {
  const value = headers['anthropic-beta'] ?? ''
  return String(value)
    .split(',')
    .map((beta) => beta.trim())
    .filter(Boolean)
}
