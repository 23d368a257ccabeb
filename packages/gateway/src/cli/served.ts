import type { GatewayInternals } from '../open-gateway.ts'
import type { GatewayServerFactory } from '../serving/mcp-server.ts'
import type { CommandCall } from './command.ts'
import type { OpenInspector } from './open-inspector.ts'

/** What `toolsearch serve` serves, and how. */
export interface ToServe {
  readonly open: GatewayInternals
  readonly factory: GatewayServerFactory
  readonly inspector: OpenInspector | undefined
  readonly port: number
  readonly call: CommandCall
}

/** A gateway that clients can connect to. */
export interface Served {
  close(): Promise<void>
}

/** Explains why a server could not listen, and what to do; nothing for other errors. */
export function listenProblem(error: unknown): string | undefined {
  const { code, syscall, message, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'missing_token') return message
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
  if (code === 'EADDRINUSE') return `Port ${port} is already in use. Choose another with --port.`
  return `Could not listen there: ${message}. Choose another address with --port or --host.`
}
