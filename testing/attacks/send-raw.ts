import { connect } from 'node:net'
import { connect as connectSafely } from 'node:tls'

/** What a server sent over one connection before it ended. */
export interface RawAnswer {
  /** Everything that was received. */
  readonly text: string
  /** The status of each response, in order. Interim responses are left out. */
  readonly statuses: readonly number[]
}

/**
 * Sends bytes over a connection of their own, as hostile as they may be. Resolves when the server ends the
 * connection. Requests therefore need `Connection: close`, unless the server rejects them anyway, or `endsAfter` ends the
 * connection once everything is sent.
 */
export function sendRaw(
  url: string,
  text: string | Uint8Array,
  { endsAfter = false }: { readonly endsAfter?: boolean } = {},
): Promise<RawAnswer> {
  const { protocol, hostname, port } = new URL(url)
  const address = { host: hostname, port: Number(port) }
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const send = () => (endsAfter ? socket.end(text) : socket.write(text))
    const socket =
      protocol === 'https:'
        ? connectSafely({ ...address, servername: hostname, rejectUnauthorized: false }, send)
        : connect(address, send)
    socket.on('data', (chunk) => chunks.push(chunk))
    // A server that rejects a request may reset the connection while it is still sent.
    socket.on('error', () => {})
    socket.once('close', () => {
      const received = Buffer.concat(chunks).toString('latin1')
      const statuses = [...received.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) =>
        Number(status),
      )
      resolve({ text: received, statuses: statuses.filter((status) => status >= 200) })
    })
  })
}
