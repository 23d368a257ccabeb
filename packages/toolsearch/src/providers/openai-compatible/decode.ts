import { isObject } from '../../is-object.ts'
import type { Block } from '../../transcript/block.ts'
import type { DecodedReply } from '../provider.ts'
import { replyList } from '../reply-list.ts'
import { type ChatMessage, type LooseMessage, textsOf } from './chat-message.ts'
import { sendableCalls } from './sendable-calls.ts'

/** The fields of a reply that the adapter reads. */
export interface ChatReply {
  readonly id?: string
  readonly choices: readonly { readonly message?: object; readonly finish_reason?: unknown }[]
}

/** @throws InvalidReplyError */
export function decode<Message extends ChatMessage>(reply: ChatReply): DecodedReply<Message> {
  const [first] = replyList(reply, 'choices', 'a Chat Completions API')
  const { message, finish_reason: finish } = isObject(first) ? first : {}
  const fields = isObject(message) ? message : {}
  const all = sendableCalls(fields.tool_calls, reply.id)
  // A call truncated before its arguments would look like a call that needs none.
  const last = all.at(-1)
  const isTruncated = finish === 'length' && (last?.isCustom || isEmptyObject(last?.arguments))
  const calls = isTruncated ? all.slice(0, -1) : all
  const sent = assistantMessage(
    fields,
    calls.map((call) => call.sent),
  )
  return {
    messages: isEmpty(sent) ? [] : [sent as unknown as Message],
    calls: calls.map(({ id, name, arguments: args, sent: native, isCustom }) => ({
      id,
      name,
      arguments: args,
      native,
      ...(isCustom && { isForeign: true }),
    })),
    found: [],
  }
}

function isEmptyObject(args: unknown): boolean {
  return isObject(args) && Object.keys(args).length === 0
}

/**
 * The reply as a message for the history. Keeps fields that only this endpoint uses, because some
 * endpoints require their reasoning back. Omits empty fields, because empty lists are rejected.
 */
function assistantMessage(
  fields: Record<string, unknown>,
  calls: readonly unknown[],
): LooseMessage {
  const { role: _, content = null, tool_calls: __, ...rest } = fields
  const nonEmpty = Object.entries(rest).filter(
    ([, value]) =>
      value !== null && value !== undefined && !(Array.isArray(value) && !value.length),
  )
  return {
    role: 'assistant',
    content,
    ...Object.fromEntries(nonEmpty),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Whether an assistant message has neither content nor calls. Endpoints reject such messages. */
export function isEmpty(message: Block): boolean {
  const { tool_calls: calls, function_call: call, content, refusal, audio } = message
  if (Array.isArray(calls) && calls.length > 0) return false
  if (isObject(call) || isObject(audio) || (typeof refusal === 'string' && refusal)) return false
  return Array.isArray(content) ? content.length === 0 : textsOf(message).join('') === ''
}
