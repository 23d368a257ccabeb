import { connect } from 'node:net'

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
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), hostname, () =>
      endsAfter ? socket.end(text) : socket.write(text),
    )
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
