import { isObject } from '../../is-object.ts'
import type { DecodedReply } from '../provider.ts'
import { type ChatMessage, type LooseMessage, textsOf } from './chat-message.ts'
import { sendableCalls } from './sendable-calls.ts'

/** The part of a reply that is read. */
export interface ChatReply {
  readonly id?: string
  readonly choices?: readonly { readonly message?: object; readonly finish_reason?: unknown }[]
}

export function decode<Message extends ChatMessage>(reply: ChatReply): DecodedReply<Message> {
  const { message: told = {}, finish_reason: finish } = reply.choices?.[0] ?? {}
  const given = told as Record<string, unknown>
  const all = sendableCalls(given.tool_calls, reply.id)
  // without a word of its arguments a call that was cut off would look like one that needs none
  const isCut = finish === 'length' && isBlank(all.at(-1)?.arguments)
  const calls = isCut ? all.slice(0, -1) : all
  const message = assistantMessage(
    given,
    calls.map((call) => call.sent),
  )
  return {
    messages: isEmpty(message) ? [] : [message as unknown as Message],
    calls: calls
      .filter((call) => !call.isCustom)
      .map(({ id, name, arguments: args }) => ({ id, name, arguments: args })),
    found: [],
  }
}

function isBlank(args: unknown): boolean {
  return isObject(args) && Object.keys(args).length === 0
}

/**
 * The reply as it goes back, with fields that only this endpoint knows: some want their reasoning
 * again. Fields that say nothing are left out, since an empty list is refused.
 */
function assistantMessage(given: Record<string, unknown>, calls: readonly unknown[]): LooseMessage {
  const { role: _, content = null, tool_calls: __, ...rest } = given
  const telling = Object.entries(rest).filter(
    ([, value]) =>
      value !== null && value !== undefined && !(Array.isArray(value) && !value.length),
  )
  return {
    role: 'assistant',
    content,
    ...Object.fromEntries(telling),
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}

/** Whether an assistant message neither says nor calls anything, so that it would be refused. */
export function isEmpty(message: LooseMessage): boolean {
  const { tool_calls: calls, function_call: call, content, refusal, audio } = message
  if (Array.isArray(calls) && calls.length > 0) return false
  if (isObject(call) || isObject(audio) || (typeof refusal === 'string' && refusal)) return false
  return Array.isArray(content) ? content.length === 0 : textsOf(message).join('') === ''
}
