import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Authentication } from '../../identity/identity.ts'

/**
 * Ends a stream of notifications when its receiver's credentials expire or are revoked. Calls that are
 * running may finish; a stream could otherwise stay open for days.
 *
 * @param authenticate checks the credentials of the request again
 */
export function watchStream(
  request: IncomingMessage,
  response: ServerResponse,
  authenticate: () => Authentication | Promise<Authentication>,
  everyMs: number,
): void {
  const isStream =
    request.method === 'GET' || request.headers['mcp-method'] === 'subscriptions/listen'
  if (!isStream) return
  const timer = setInterval(async () => {
    const authentication = await authenticate()
    // While credentials cannot be checked, those that were valid stay so.
    const isRefused = 'refusal' in authentication && authentication.refusal.status !== 503
    if (isRefused && !response.destroyed) response.destroy()
  }, everyMs)
  timer.unref()
  response.once('close', () => clearInterval(timer))
}
