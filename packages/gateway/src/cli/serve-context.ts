import type { Inspection } from '../inspection/create-inspection.ts'
import type { GatewayInternals } from '../open-internals.ts'
import type { DrainOptions } from '../serving/http/drain.ts'
import type { GatewayServerFactory } from '../serving/mcp-server.ts'
import type { StructuredLog } from '../telemetry/structured-log.ts'
import type { CommandCall } from './command.ts'

/** What `toolsearch serve` has set up before it starts to listen. */
export interface ServeContext {
  readonly open: GatewayInternals
  readonly factory: GatewayServerFactory
  readonly inspector: Inspection | undefined
  /** Undefined if logs are plain text. */
  readonly log: StructuredLog | undefined
  /** Undefined for the default. */
  readonly port: number | undefined
  readonly call: CommandCall
  /** What to print instead of an entry for a client's configuration. */
  readonly clientNote?: string | undefined
  /** Whether a client has connected since the start. */
  readonly hadClient: () => boolean
  /** Lets other commands find the gateway. Call it before printing the URL. Never rejects. */
  readonly register: (origin: string) => Promise<void>
}

/** A server that clients can connect to. */
export interface RunningServer {
  /** Waits for requests in flight, for a bounded time. Absent if nothing is lost by closing. */
  drain?(options: DrainOptions): Promise<void>
  close(): Promise<void>
}

/** Warns that anyone on this machine may use the gateway, although somebody meant to set a token. */
export const EMPTY_TOKEN = 'Warning: TOOLSEARCH_TOKEN is set but empty, so no token is required.'

/** Explains why a server could not listen and what to do. Undefined for other errors. */
export function listenProblem(error: unknown): string | undefined {
  const { code, syscall, message, port } = error as NodeJS.ErrnoException & { port?: number }
  if (code === 'missing_token' || code === 'token_and_identity') return message
  if (syscall !== 'listen' && syscall !== 'getaddrinfo') return undefined
  if (code === 'EADDRINUSE') return `Port ${port} is already in use. Choose another with --port.`
  return `Could not start the server: ${message}. Choose another address with --port or --host.`
}
