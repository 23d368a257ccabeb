import { checkKey, checkRejects } from '../openai/check-request.ts'
import { openaiProblem } from '../openai/openai-problem.ts'
import { firstProblem } from '../problem.ts'
import type { Service } from '../service.ts'
import { callableTools } from './callable-tools.ts'
import type { ChatBody } from './chat-body.ts'
import { type ChatDeferral, checkDeferral } from './check-deferral.ts'
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
  /**
   * How the endpoint defers tools: `reference`, with `defer_loading` and `tool_reference` (SGLang,
   * vLLM, Baseten); `hosted`, with `defer_loading` and a search of its own (OpenRouter).
   * @default undefined: not at all
   */
  deferral?: ChatDeferral
}

/** OpenAI's Chat Completions API, or a compatible endpoint. */
export function chatCompletions({
  rejects = [],
  maxTools = 128,
  maxNameLength = 64,
  deferral,
}: ChatCompletionsOptions = {}): Service {
  const checks = [
    checkKey,
    checkRejects(rejects),
    // The checks after this one rely on lists being arrays.
    checkFields(deferral),
    checkDeferral(deferral),
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
    callableTools,
    encode: (reply, body: ChatBody) => encodeChat(reply, body, deferral),
    stream: (reply, body: ChatBody) =>
      streamChat(encodeChat(reply, body, deferral), body.stream_options?.include_usage === true),
    promptOf: chatPrompt,
    problem: openaiProblem,
  }
}
