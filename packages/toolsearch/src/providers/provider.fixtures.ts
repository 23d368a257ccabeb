import type { ReplyCall, Service } from 'toolsearch-checking-server'
import type { ToolDefinition } from '../catalogue/tool.ts'
import type { Session } from '../session/session.ts'
import type { AdapterOptions, ProviderAdapter } from './adapter.ts'

/** What the suites need to drive a provider through its own client. */
export interface ProviderCase {
  readonly name: string
  readonly modes: readonly string[]
  /** Modes in which loading a tool leaves the beginning of the request as it is. */
  readonly stableModes: readonly string[]
  /** A model that has every mode. */
  readonly model: string
  service(options?: { rejects?: readonly string[] }): Service
  adapter(session: Session, options: AdapterOptions): AnyAdapter
  /** Sends a request through the provider's client; rejects with the client's error. */
  send(url: string, request: unknown): Promise<unknown>
  /** The same, as events. */
  stream(url: string, request: unknown): Promise<AsyncIterable<unknown>>
  user(text: string): unknown
  /** The messages in a request. */
  messagesOf(request: unknown): unknown[]
  /** How the model makes a search in a mode. */
  search(mode: string, query: string, found: readonly string[]): ScriptedReply
}

// biome-ignore lint/suspicious/noExplicitAny: the suites treat every provider alike
export type AnyAdapter = ProviderAdapter<any, any, any>

export interface ScriptedReply {
  text?: string
  calls?: readonly ReplyCall[]
  search?: { found: readonly string[] }
  clientSearch?: { arguments: unknown; callId?: string }
}

/** A tool of a server, with one argument. */
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

const THINGS = [
  'invoice',
  'calendar',
  'ticket',
  'branch',
  'photo',
  'playlist',
  'shipment',
  'contract',
]
const DEEDS = ['create', 'archive', 'translate', 'measure', 'approve']

/** Forty tools of eight servers, each found by its two words. */
export const fleet: readonly ToolDefinition[] = THINGS.flatMap((thing) =>
  DEEDS.map((deed) => serverTool(`${thing}_${deed}`, `Can ${deed} one ${thing}.`)),
)
