import type { FetchLike } from '@modelcontextprotocol/client'
import { beginningOf, withBody } from '../protocol/beginning-of.ts'
import { limitEvents } from '../protocol/limit-events.ts'
import { readMessageId } from '../protocol/read-message-id.ts'
import { createValueCounter } from '../protocol/value-counter.ts'

/** Smaller responses need no check. */
const SMALL = 256 * 1024
/** So much of the body of an error is read. */
const MAX_ERROR_BYTES = 64 * 1024

export interface LimitedFetchOptions {
  /** The maximum size of a message. */
  readonly maxBytes: number
  /** Called for a message that is too large. `id` is that of the request, if it was found. */
  readonly onTooLarge: (id: number | undefined, bytes: number) => void
}

/**
 * A `fetch` that limits the size of messages while they arrive, so that no server can fill the memory
 * of the gateway, or keep it busy: the size of a JSON body, and of each event in a stream. Of the body of an
 * error, only the beginning is left.
 */
export function limitedFetch({ maxBytes, onTooLarge }: LimitedFetchOptions): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (!response.body) return response
    if (!response.ok) return beginningOf(response, MAX_ERROR_BYTES)
    const isPost = init?.method === 'POST'
    const isEventStream = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '')
    const length = Number(response.headers.get('content-length') ?? Number.NaN)
    // the length of a compressed body says nothing about its size
    const isSmall = length <= Math.min(maxBytes, SMALL)
    if (isSmall && !response.headers.has('content-encoding')) return response
    const body = isEventStream
      ? limitEvents(response.body, {
          maxBytes,
          onSkipped(head, tail, bytes) {
            if (isPost) return
            const data = head.slice(Math.max(0, head.indexOf('{')))
            onTooLarge(readMessageId(data, tail), bytes)
          },
          onExceeded(bytes) {
            // the stream of a single request has nothing else to deliver
            if (isPost) onTooLarge(requestId(init.body), bytes)
            return isPost
          },
        })
      : response.body.pipeThrough(
          bodyLimit(maxBytes, (bytes) => onTooLarge(requestId(init?.body), bytes)),
        )
    return withBody(response, body)
  }
}

function bodyLimit(
  maxBytes: number,
  onExceeded: (bytes: number) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  const values = createValueCounter()
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length
      if (!values.add(chunk) && bytes <= maxBytes) {
        controller.enqueue(chunk)
        return
      }
      onExceeded(bytes)
      controller.error(
        new Error(`The response is larger than ${maxBytes} bytes, or has too many values.`),
      )
    },
  })
}

function requestId(body: unknown): number | undefined {
  try {
    const { id } = JSON.parse(String(body)) as { id?: unknown }
    return typeof id === 'number' ? id : undefined
  } catch {
    return undefined
  }
}
