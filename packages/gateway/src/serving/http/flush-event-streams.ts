import type { ServerResponse } from 'node:http'

/**
 * Sends the headers of an event stream immediately. Node.js waits for the first event, which may never
 * come, and clients that wait for the headers would hang.
 */
export function flushEventStreams(response: ServerResponse): void {
  const { writeHead } = response
  response.writeHead = function (this: ServerResponse, ...args: unknown[]) {
    const result = Reflect.apply(writeHead, this, args) as ServerResponse
    if (
      isEventStream(args.at(-1)) ||
      isEventStream({ 'content-type': this.getHeader('content-type') })
    ) {
      // An event that is written in the same turn shares a packet with the headers.
      setImmediate(() => {
        if (!this.destroyed) this.flushHeaders()
      })
    }
    return result
  } as ServerResponse['writeHead']
}

function isEventStream(headers: unknown): boolean {
  if (typeof headers !== 'object' || headers === null) return false
  return Object.entries(headers).some(
    ([name, value]) =>
      name.toLowerCase() === 'content-type' && /^text\/event-stream/i.test(String(value)),
  )
}
