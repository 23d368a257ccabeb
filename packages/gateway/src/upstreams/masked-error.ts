import type { SecretMask } from '../config/secret-mask.ts'
import { UpstreamError } from '../protocol/upstream-error.ts'

/** The error without secrets: its message, and the error response of the server. */
export function maskedError(error: UpstreamError, mask: SecretMask): UpstreamError {
  const message = mask.text(error.message)
  const answer = mask.json(error.answer)
  if (message === error.message && answer === error.answer) return error
  const { code, server, undelivered, requestOnly, cause } = error
  return new UpstreamError(code, server, message, {
    undelivered,
    requestOnly,
    ...(answer && { answer }),
    ...(cause !== undefined && { cause }),
  })
}
