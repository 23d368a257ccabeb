import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import type { Caller } from '../../identity/caller.ts'
import type { Gateway } from '../../offering/gateway.ts'
import type { McpTool } from '../../protocol/mcp-tool.ts'
import { requestProblem } from '../../protocol/request-problem.ts'
import { mismatchedHeader } from './mismatched-header.ts'
import { rejection } from './read-message.ts'

/**
 * Returns the response that rejects a message, or undefined if it is acceptable.
 *
 * @param header returns the value of a header, or null
 */
export type CheckMessage = (
  body: unknown,
  header: (name: string) => string | null,
  caller: Caller,
) => Response | undefined

interface CallParams {
  readonly name?: unknown
  readonly arguments?: unknown
  readonly _meta?: Readonly<Record<string, unknown>>
}

const HEADER_MISMATCH = -32020

/** Checks what the SDK does not: the depth of a message, and headers that must match arguments. */
export function createMessageCheck(gateway: Pick<Gateway, 'view'>): CheckMessage {
  return (body, header, caller) => {
    const invalid = requestProblem(body)
    if (invalid) return rejection(400, invalid.code, invalid.message, body)
    // The SDK compares headers with arguments only for tools that are registered with it.
    const { method, params } = (body ?? {}) as { method?: unknown; params?: CallParams }
    const isModern = params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined
    if (method !== 'tools/call' || !isModern) return undefined
    const schema = schemasOf(gateway.view(caller).listTools()).get(params.name)
    const problem = mismatchedHeader(schema, params.arguments, header)
    return problem === undefined ? undefined : rejection(400, HEADER_MISMATCH, problem, body)
  }
}

const schemas = new WeakMap<readonly McpTool[], ReadonlyMap<unknown, unknown>>()

/** The schemas of listed tools, by name. A list is the same object until it changes. */
function schemasOf(list: readonly McpTool[]): ReadonlyMap<unknown, unknown> {
  const known = schemas.get(list) ?? new Map(list.map((tool) => [tool.name, tool.inputSchema]))
  schemas.set(list, known)
  return known
}
