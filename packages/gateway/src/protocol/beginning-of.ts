/** A response with another body. */
export function withBody(response: Response, body: ReadableStream<Uint8Array>): Response {
  const { status, statusText, headers } = response
  const changed = new Response(body, { status, statusText, headers })
  // `new Response` has no URL, which the SDK compares with the requested one
  return Object.defineProperty(changed, 'url', { value: response.url })
}

/** A response with no more than the beginning of its body. The rest is never received. */
export function beginningOf(response: Response, maxBytes: number): Response {
  if (!response.body) return response
  let left = maxBytes
  const cut = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      controller.enqueue(chunk.subarray(0, left))
      left -= chunk.length
      if (left <= 0) controller.terminate()
    },
  })
  return withBody(response, response.body.pipeThrough(cut))
}
