import { serveStdio as serveWithSdk } from '@modelcontextprotocol/server/stdio'
import { gateStdioListen } from './gate-stdio-listen.ts'
import type { GatewayServerFactory } from './mcp-server.ts'
import { createStdioShortcut } from './shortcut/stdio-shortcut.ts'
import { stdioListen } from './stdio-listen.ts'
import { createStdioTransport, type StdioTransportOptions } from './stdio-transport.ts'

/** Serves one client over stdio, or over the given streams, until `close` is called. */
export function serveStdio(
  servers: GatewayServerFactory,
  options: Pick<StdioTransportOptions, 'input' | 'output'> = {},
): { close(): Promise<void> } {
  const { factory, interceptor } = createStdioShortcut(servers)
  const { gate, local, prepareListen } = servers
  const listen = stdioListen(prepareListen, local)
  const isGated = gate && gateStdioListen(gate, local)
  const transport = createStdioTransport({
    ...options,
    interceptor: {
      intercept(message, to) {
        const passOn = () => {
          if (!listen.intercept(message, to)) to.passOn()
        }
        return (
          // The request may be the first one, which decides on the era.
          interceptor.intercept(message, to) ||
          isGated?.(message, { ...to, passOn }) === true ||
          listen.intercept(message, to)
        )
      },
      sending: (message) => listen.sending(interceptor.sending(message)),
      closed: listen.closed,
    },
  })
  return serveWithSdk(factory, { transport })
}
