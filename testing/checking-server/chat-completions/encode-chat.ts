import { estimateTokens, ImpossibleReplyError, newId, type Reply } from '../reply.ts'
import { type ChatBody, isDeferred } from './chat-body.ts'
import { type ChatDeferral, referencesIn } from './check-deferral.ts'

/** A complete `ChatCompletion`. */
export interface EncodedCompletion {
  id: string
  object: string
  created: number
  model: string | undefined
  choices: readonly [EncodedChoice]
  usage: object
}

interface EncodedChoice {
  index: number
  message: {
    role: string
    content: string | null
    refusal: null
    tool_calls?: readonly EncodedCall[]
  }
  logprobs: null
  finish_reason: string
}

export interface EncodedCall {
  id: string
  type: string
  function?: { name: string; arguments: string }
  custom?: { name: string; input: string }
}

/**
 * Encodes a reply as a `ChatCompletion`. A hosted search leaves no trace in the reply: the client
 * only sees the call that follows it.
 */
export function encodeChat(
  reply: Reply,
  body: ChatBody,
  deferral?: ChatDeferral,
): EncodedCompletion {
  if (reply.clientSearch || (reply.search && deferral !== 'hosted')) {
    throw new ImpossibleReplyError('Chat Completions has no search of its own. Use `calls`.')
  }
  const deferred = (body.tools ?? []).filter(isDeferred).map((tool) => tool.function?.name)
  const missing = reply.search?.found.find((name) => !deferred.includes(name))
  if (missing !== undefined) {
    throw new ImpossibleReplyError(`The search cannot find "${missing}": it is not deferred.`)
  }
  const calls = [
    ...((reply.native ?? []) as readonly unknown[] as readonly EncodedCall[]),
    ...(reply.calls ?? []).map((call) => ({
      id: call.id ?? newId('call'),
      type: 'function',
      function: { name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  ]
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    refusal: null,
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
  const prompt_tokens = estimateTokens(chatPrompt(body))
  const completion_tokens = estimateTokens([JSON.stringify(message)])
  return {
    id: newId('chatcmpl'),
    object: 'chat.completion',
    created: 0,
    model: body.model,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    usage: { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens },
  }
}

/**
 * The prompt as the model reads it: tools, then messages. A deferred tool appears where a message
 * refers to it or calls it.
 */
export function chatPrompt({ tools = [], messages = [] }: ChatBody): string[] {
  const hidden = new Map(
    tools.filter(isDeferred).map((tool) => [tool.function?.name, JSON.stringify(tool.function)]),
  )
  const listed = tools.filter((tool) => !isDeferred(tool))
  return [
    ...listed.map((tool) => JSON.stringify(tool)),
    ...messages.flatMap((message) => {
      const called = (message.tool_calls ?? []).map((call) => call.function?.name)
      const shown = [...called, ...referencesIn(message)].flatMap((name) => hidden.get(name) ?? [])
      return [JSON.stringify(message), ...shown]
    }),
  ]
}
