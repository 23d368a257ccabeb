import type { ServerContext } from '@modelcontextprotocol/server'

/**
 * Closes the response stream of a request again and again while it runs, so that no response takes longer
 * than proxies allow. The client reconnects and continues where it was. Does nothing for clients that
 * cannot, which are those before 2025-11-25.
 *
 * @param seconds how long a stream may stay open. Undefined for as long as the request runs
 * @returns a function that stops it
 */
export function closeStreams({ http }: ServerContext, seconds: number | undefined): () => void {
  const close = http?.closeSSE
  if (seconds === undefined || !close) return () => {}
  const timer = setInterval(close, seconds * 1_000).unref()
  return () => clearInterval(timer)
}
