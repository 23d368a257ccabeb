import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server'
import { isTooDeep, TOO_DEEP } from '../../protocol/is-too-deep.ts'
import { mismatchedHeader } from './mismatched-header.ts'
import { refusal } from './refusal.ts'

/** Gives the answer to a message that is not let in, or nothing. */
export type JudgeMessage = (
  body: unknown,
  /** Gives the value of a header, or null. */
  header: (name: string) => string | null,
) => Response | undefined

interface Call {
  readonly name?: unknown
  readonly arguments?: unknown
  readonly _meta?: Readonly<Record<string, unknown>>
}

const HEADER_MISMATCH = -32020

/** @param schemaOf the schema of a listed tool, for what its calls must say in headers */
export function createJudge(schemaOf: (tool: unknown) => unknown): JudgeMessage {
  return (body, header) => {
    if (isTooDeep(body)) return refusal(400, TOO_DEEP.code, TOO_DEEP.message, body)
    // the SDK compares headers with arguments only for tools of its own server
    const { method, params } = (body ?? {}) as { method?: unknown; params?: Call }
    const isNewer = params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined
    if (method !== 'tools/call' || !isNewer) return undefined
    const reason = mismatchedHeader(schemaOf(params.name), params.arguments, header)
    return reason === undefined ? undefined : refusal(400, HEADER_MISMATCH, reason, body)
  }
}
