import { type McpServerFactory, PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../protocol/json-object.ts'
import type { Era } from '../../protocol/versions.ts'
import type { GatewayServerFactory } from '../mcp-server.ts'
import type { Interceptor } from '../stdio-transport.ts'
import { canBeAsked, readCall } from './read-call.ts'
import type { ShortcutCalls } from './shortcut-calls.ts'

export interface StdioShortcut {
  /** For the SDK's `serveStdio`. */
  readonly factory: McpServerFactory
  /** For the transport. */
  readonly interceptor: Interceptor
}

/** Answers plain calls over stdio as soon as the SDK and the client have agreed on an era. */
export function createStdioShortcut(servers: GatewayServerFactory): StdioShortcut {
  /** Of the latest server: the SDK may replace one that only answered `server/discover`. */
  let calls: ShortcutCalls | undefined
  /** The request whose response decides on the era. */
  let opening: { id: unknown; era: Era } | undefined
  let agreed: Era | 'SDK only' | undefined

  function isCancelled(message: unknown): boolean {
    const { method, params } = (message ?? {}) as JsonObject
    if (method !== 'notifications/cancelled') return false
    return calls?.cancel((params as JsonObject | undefined)?.requestId) ?? false
  }

  function watchOpening(message: unknown): void {
    const { id, method, params } = (message ?? {}) as JsonObject & { params?: JsonObject }
    const isModern = PROTOCOL_VERSION_META_KEY in ((params?._meta as object | undefined) ?? {})
    // Allowed before the opening, and does not decide on the era.
    if (method === 'server/discover') return
    const isOpening = id !== undefined && isModern === (method !== 'initialize')
    if (isOpening && !canBeAsked(params?.capabilities)) {
      opening = { id, era: isModern ? 'modern' : 'legacy' }
    } else agreed = 'SDK only'
  }

  return {
    factory(context) {
      const server = servers(context)
      calls = servers.shortcut()?.callsOf(server)
      return server
    },
    interceptor: {
      intercept(message, { send, passOn }) {
        const call = agreed === undefined ? undefined : readCall(message)
        if (call && call.era === agreed && calls?.start(call, { answer: send, passOn })) return true
        if (isCancelled(message)) return true
        if (!agreed && !opening) watchOpening(message)
        return false
      },
      sending(message) {
        if (opening && 'id' in message && message.id === opening.id && !('method' in message)) {
          agreed = 'result' in message ? opening.era : 'SDK only'
          opening = undefined
        }
        return message
      },
    },
  }
}
