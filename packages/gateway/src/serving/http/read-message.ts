import { readRequestBody } from '@modelcontextprotocol/server'
import { refusal } from './refusal.ts'

/** What was posted, or the answer to what cannot be let in. */
export type ReadMessage = { readonly body: unknown } | { readonly refusal: Response }

/** Reads the JSON of a request within the limit. Never rejects. */
export async function readMessage(request: Request, maxBytes: number): Promise<ReadMessage> {
  try {
    const read = await readRequestBody(request, maxBytes)
    return read.tooLarge
      ? { refusal: refusal(413, -32000, `A body may have ${maxBytes} bytes.`) }
      : { body: JSON.parse(read.text) }
  } catch {
    return { refusal: refusal(400, -32700, 'Parse error: the body is no JSON.') }
  }
}
