import { checkKey, checkRejects } from '../openai/check-request.ts'
import { openaiProblem } from '../openai/openai-problem.ts'
import { firstProblem } from '../problem.ts'
import type { Service } from '../service.ts'
import type { ChatBody } from './chat-body.ts'
import { checkFields } from './check-fields.ts'
import { checkMessages } from './check-messages.ts'
import { checkParts } from './check-parts.ts'
import { checkToolChoice } from './check-tool-choice.ts'
import { checkToolMessages } from './check-tool-messages.ts'
import { checkTools } from './check-tools.ts'
import { chatPrompt, encodeChat } from './encode-chat.ts'
import { streamChat } from './stream-chat.ts'

export interface ChatCompletionsOptions {
  /**
   * Fields and types that the endpoint does not support.
   * @default []
   */
  rejects?: readonly string[]
  /**
   * The number of tools that a request may have.
   * @default 128
   */
  maxTools?: number
  /**
   * The maximum length of a tool name.
   * @default 64
   */
  maxNameLength?: number
}

/** OpenAI's Chat Completions API, or a compatible endpoint. */
export function chatCompletions({
  rejects = [],
  maxTools = 128,
  maxNameLength = 64,
}: ChatCompletionsOptions = {}): Service {
  const checks = [
    checkKey,
    checkRejects(rejects),
    // The checks after this one rely on lists being arrays.
    checkFields,
    checkTools(maxTools, maxNameLength),
    checkMessages(maxNameLength),
    checkParts,
    checkToolMessages,
    checkToolChoice,
  ]
  return {
    matches: (path) => /\/chat\/completions(\?|$)/.test(path),
    check: (body: ChatBody, headers) => firstProblem(checks, body, headers),
    streams: (body) => body.stream === true,
    encode: encodeChat,
    stream: (reply, body: ChatBody) =>
      streamChat(encodeChat(reply, body), body.stream_options?.include_usage === true),
    promptOf: chatPrompt,
    problem: openaiProblem,
  }
}
