import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type CheckingServerOptions, checkedService } from './checked-service.ts'
import type { RecordedRequest } from './recorded-request.ts'

export interface CheckingServer {
  /** The base URL for clients, without a path. */
  url: string
  /** Every request so far, including rejected ones. */
  requests: readonly RecordedRequest[]
  /** Also closes open connections. Can be called more than once. */
  close(): Promise<void>
}

/**
 * Starts a local server that records requests, rejects those that the real service would reject, and
 * answers the others from a script. `inProcessServer` does the same without a network.
 *
 * @example
 * const server = await startCheckingServer({ service: anthropicMessages(), replies: [{ text: 'Hi' }] })
 * const client = new Anthropic({ baseURL: server.url, apiKey: 'any', maxRetries: 0 })
 */
export async function startCheckingServer(options: CheckingServerOptions): Promise<CheckingServer> {
  const { requests, answer } = checkedService(options)
  const server = createServer(async (incoming, outgoing) => {
    try {
      const response = await answer(toRequest(incoming))
      outgoing.writeHead(response.status, Object.fromEntries(response.headers))
      await pipeline(Readable.fromWeb(response.body as never), outgoing)
    } catch {
      // The client disconnected.
      outgoing.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        // Clients keep connections alive, and close() alone would wait for them.
        server.closeAllConnections()
      }),
  }
}

function toRequest(incoming: IncomingMessage): Request {
  const { method = '', url = '', headers } = incoming
  const hasBody = method !== 'GET' && method !== 'HEAD'
  return new Request(new URL(url, 'http://127.0.0.1'), {
    method,
    headers: headers as Record<string, string>,
    ...(hasBody && { body: Readable.toWeb(incoming) as never, duplex: 'half' }),
  })
}
