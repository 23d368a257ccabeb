import type { GatewayInternals } from '../open-gateway.ts'
import type { GatewayServerFactory } from '../serving/mcp-server.ts'
import type { CommandCall } from './command.ts'
import type { OpenInspector } from './open-inspector.ts'

/** What is to be served, and how. */
export interface ToServe {
  readonly open: GatewayInternals
  readonly factory: GatewayServerFactory
  readonly inspector: OpenInspector | undefined
  readonly port: number
  readonly call: CommandCall
}

/** A gateway that clients can reach. */
export interface Served {
  close(): Promise<void>
}
