import type { Answer, McpClient } from './mcp-client.ts'

export type TransportName = 'stdio' | 'HTTP'

/** A server behind a gateway. */
export interface Server {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

/** A `tools/call` in the form that one gateway expects. */
export type Call = { readonly name: string; readonly arguments: object }

/** How to start a program. */
interface Start {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Setup {
  readonly servers: readonly Server[]
  /** A folder for this run only. */
  readonly folder: string
  /** A free port, for programs that listen. */
  readonly port: number
}

/** One way to reach a server's tools: directly or through a gateway. */
export interface Contender {
  readonly name: string
  readonly transport: TransportName
  /** The npm package of a peer. */
  readonly package?: string
  /** Whether it supports several servers. */
  readonly takesMany: boolean
  /** The path of its HTTP endpoint. */
  readonly path?: string
  /** Whether it uses HTTP+SSE, the transport of the first revision of MCP. */
  readonly speaksSse?: boolean
  start(setup: Setup): Start
  /** Builds the call to a server's tool. */
  call(client: McpClient, server: string, tool: string, args: object): Call | Promise<Call>
  /** Builds the call for a search. Without it, the contender lists every tool. */
  search?(query: string): Call
}

/** Whether a result comes from the tool itself. */
export function isEcho(answer: Answer, text: string): boolean {
  return answer.isError !== true && JSON.stringify(answer).includes(text)
}
