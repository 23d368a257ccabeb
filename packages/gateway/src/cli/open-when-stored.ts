import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { OpenGateway } from '../open-gateway.ts'
import { DEFAULT_PORT } from './listen-on-free-port.ts'

export interface OpenWhenStoredOptions {
  readonly host: string | undefined
  readonly port: number | undefined
  /** Resolves when the process has to end. */
  readonly ended: Promise<void>
  readonly say: (text: string) => void
}

const RETRY_MS = 1_000

/**
 * Opens a gateway once its database can be reached. Until then, health checks are answered and all other
 * requests are refused. Resolves to undefined if the process has to end before.
 *
 * @param open rejects with the code `database_unavailable` if it should be tried again
 */
export async function openWhenStored(
  open: () => Promise<OpenGateway>,
  { host = '127.0.0.1', port = DEFAULT_PORT, ended, say }: OpenWhenStoredOptions,
): Promise<OpenGateway | undefined> {
  let waiting: { close(): Promise<void> } | undefined
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  try {
    while (!hasEnded) {
      try {
        return await open()
      } catch (error) {
        const { code, message } = error as { code?: unknown; message: string }
        if (code !== 'database_unavailable') throw error
        if (!waiting) {
          say(`${message} The gateway keeps trying, and starts when PostgreSQL can be reached.`)
          waiting = await serveUnavailable(host, port)
        }
      }
      await Promise.race([wait(RETRY_MS), ended])
    }
    return undefined
  } finally {
    await waiting?.close()
  }
}

/** Answers as a gateway does that cannot reach its database. Never rejects. */
async function serveUnavailable(host: string, port: number): Promise<{ close(): Promise<void> }> {
  const server = createServer(({ url }, response) => {
    const isAlive = url === '/healthz'
    const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
    response.writeHead(isAlive ? 200 : 503, isAlive ? headers : { ...headers, 'retry-after': '5' })
    response.end(JSON.stringify(isAlive ? { status: 'ok' } : UNAVAILABLE))
  })
  await new Promise<void>((resolve) => {
    // A port in use is reported when the gateway starts.
    server.once('error', () => resolve())
    server.listen(port, host, resolve)
  })
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const UNAVAILABLE = { status: 'unavailable', missing: ['postgres'] }
