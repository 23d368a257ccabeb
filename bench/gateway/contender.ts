import type { Answer, McpClient } from './mcp-client.ts'

export type TransportName = 'stdio' | 'HTTP'

/** A server that stands behind a gateway. */
export interface Server {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
}

/** A call in the words of one gateway. */
export type Call = { readonly name: string; readonly arguments: object }

/** How a program is started. `port` is a free one, for those that listen. */
interface Start {
  readonly args: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export interface Setup {
  readonly servers: readonly Server[]
  /** A folder of the run's own. */
  readonly folder: string
  readonly port: number
}

/** One way to a server's tools: straight, or through some gateway. */
export interface Contender {
  readonly name: string
  readonly transport: TransportName
  /** The npm package of a peer. */
  readonly package?: string
  /** It can stand before several servers. */
  readonly takesMany: boolean
  /** Where it listens, if it does. */
  readonly path?: string
  /** It speaks HTTP as the first revision of MCP had it. */
  readonly speaksSse?: boolean
  start(setup: Setup): Start
  /** Says how to call a tool of a server. */
  call(client: McpClient, server: string, tool: string, args: object): Call | Promise<Call>
  /** Says how to search. Without it a list has everything. */
  search?(query: string): Call
}

/** Whether an answer is one of the tool itself. */
export function isEcho(answer: Answer, text: string): boolean {
  return answer.isError !== true && JSON.stringify(answer).includes(text)
}
