import type { Reply, Service } from 'toolsearch-checking-server'
import type { ToolDefinition } from '../catalogue/tool.ts'
import type { Session } from '../session/session.ts'
import type { AdapterOptions, ProviderAdapter } from './provider-adapter.ts'

/** What the test suites need to drive a provider through its official client. */
export interface ProviderCase {
  readonly name: string
  readonly modes: readonly string[]
  /** Modes in which loading a tool leaves the prefix of the request unchanged. */
  readonly stableModes: readonly string[]
  /** A model that supports every mode. */
  readonly model: string
  service(options?: { rejects?: readonly string[] }): Service
  adapter(session: Session, options: AdapterOptions): AnyAdapter
  /** Sends a request through the provider's client. Rejects with the client's error. */
  send(url: string, request: unknown): Promise<unknown>
  /** Sends a request and returns the events of the streamed reply. */
  stream(url: string, request: unknown): Promise<AsyncIterable<unknown>>
  user(text: string): unknown
  /** The messages in a request. */
  messagesOf(request: unknown): unknown[]
  /** The reply of a model that searches, in the form that a mode uses. */
  search(mode: string, query: string, found: readonly string[]): ScriptedReply
}

/** One client for each URL: to create one takes longer than to send a request in the same process. */
export function perUrl<Client>(create: (url: string) => Client): (url: string) => Client {
  const clients = new Map<string, Client>()
  return (url) => {
    const client = clients.get(url) ?? create(url)
    clients.set(url, client)
    return client
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the suites treat all providers the same
export type AnyAdapter = ProviderAdapter<any, any, any>

export type ScriptedReply = Reply

/** A tool of an MCP server with one required argument. */
export function serverTool(name: string, description: string): ToolDefinition {
  return {
    name,
    description,
    source: `mcp:${name.split('_')[0]}`,
    inputSchema: {
      type: 'object',
      properties: { subject: { type: 'string', description: 'What it is about.' } },
      required: ['subject'],
    },
  }
}

const OBJECTS = [
  'invoice',
  'calendar',
  'ticket',
  'branch',
  'photo',
  'playlist',
  'shipment',
  'contract',
]
const ACTIONS = ['create', 'archive', 'translate', 'measure', 'approve']

/** Forty tools from eight servers. A search for the two words of its name finds each tool. */
export const sampleTools: readonly ToolDefinition[] = OBJECTS.flatMap((object) =>
  ACTIONS.map((action) => serverTool(`${object}_${action}`, `Can ${action} one ${object}.`)),
)
