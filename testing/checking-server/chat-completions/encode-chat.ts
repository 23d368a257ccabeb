import { estimateTokens, ImpossibleReplyError, newId, type Reply } from '../reply.ts'
import type { ChatBody } from './chat-body.ts'

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

/** Encodes a reply as a `ChatCompletion`. */
export function encodeChat(reply: Reply, body: ChatBody): EncodedCompletion {
  if (reply.search || reply.clientSearch) {
    throw new ImpossibleReplyError('Chat Completions has no search of its own. Use `calls`.')
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

/** The prompt as the model reads it: tools, then messages. */
export function chatPrompt({ tools = [], messages = [] }: ChatBody): string[] {
  return [...tools, ...messages].map((part) => JSON.stringify(part))
}
