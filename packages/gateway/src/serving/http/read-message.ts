import { readRequestBody } from '@modelcontextprotocol/server'
import { hasManyValues } from '../../protocol/value-counter.ts'

/** Clients need fewer than servers: `JSON.parse` takes the longest for many different texts. */
const MAX_VALUES = 100_000

/** A posted message, or the response that rejects it. */
export interface ReadMessage {
  readonly body?: unknown
  readonly rejection?: Response
}

/** Reads the JSON body of a request. Never rejects. */
export async function readMessage(request: Request, maxBytes: number): Promise<ReadMessage> {
  try {
    const read = await readRequestBody(request, maxBytes)
    return read.tooLarge
      ? { rejection: rejection(413, -32000, `The body exceeds the limit of ${maxBytes} bytes.`) }
      : parseMessage(read.text)
  } catch {
    return parseMessage('')
  }
}

export function parseMessage(text: string): ReadMessage {
  if (hasManyValues(text, MAX_VALUES)) {
    return { rejection: rejection(413, -32000, `The body has more than ${MAX_VALUES} values.`) }
  }
  try {
    return { body: JSON.parse(text) }
  } catch {
    return { rejection: rejection(400, -32700, 'Parse error: the body is not valid JSON.') }
  }
}

/** An HTTP response with a JSON-RPC error, for a message that the SDK does not get to see. */
export function rejection(status: number, code: number, message: string, to?: unknown): Response {
  const { id } = (to ?? {}) as { id?: unknown }
  const validId = typeof id === 'string' || typeof id === 'number' ? id : null
  return Response.json({ jsonrpc: '2.0', id: validId, error: { code, message } }, { status })
}
