import { withBody } from './beginning-of.ts'

/**
 * Puts an event without data in front of an event stream that continues after `lastEventId`.
 *
 * A client continues from the last event it has received in a stream. Without this one, a continued
 * stream that breaks before its first event could not be continued again.
 */
export function withFirstEvent(
  response: Response,
  lastEventId: string,
  retryMs?: number,
): Response {
  const isStream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '')
  if (!response.ok || !response.body || !isStream) return response
  const retry = retryMs === undefined ? '' : `retry: ${retryMs}\n`
  const event = new TextEncoder().encode(`id: ${lastEventId}\n${retry}data: \n\n`)
  const body = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      start: (controller) => controller.enqueue(event),
    }),
  )
  return withBody(response, body)
}
