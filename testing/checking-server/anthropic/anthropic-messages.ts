import { firstProblem } from '../problem.ts'
import type { Reply } from '../reply.ts'
import type { Service } from '../service.ts'
import { anthropicProblem } from './anthropic-problem.ts'
import { anthropicPrompt } from './anthropic-prompt.ts'
import { callableTools } from './callable-tools.ts'
import { checkCacheControl } from './check-cache-control.ts'
import { checkCompaction } from './check-compaction.ts'
import { checkContent } from './check-content.ts'
import { checkFields } from './check-fields.ts'
import { checkHeaders } from './check-headers.ts'
import { checkMcp } from './check-mcp.ts'
import { checkReferences } from './check-references.ts'
import { checkRejects } from './check-rejects.ts'
import { checkResultContent } from './check-result-content.ts'
import { checkServerTools } from './check-server-tools.ts'
import { checkThinking } from './check-thinking.ts'
import { checkToolChanges } from './check-tool-changes.ts'
import { checkToolChoice } from './check-tool-choice.ts'
import { checkToolResults } from './check-tool-results.ts'
import { checkTools } from './check-tools.ts'
import { checkTurns } from './check-turns.ts'
import { checkUnicode } from './check-unicode.ts'
import { type EncodedMessage, encodeAnthropic } from './encode-anthropic.ts'
import type { MessagesBody } from './messages-body.ts'
import { streamAnthropic } from './stream-anthropic.ts'
import { createThinkingBindings } from './thinking-bindings.ts'

export interface AnthropicMessagesOptions {
  /**
   * Fields, block types, tool types and betas that the endpoint does not support.
   * @default []
   */
  rejects?: readonly string[]
}

/** Anthropic's Messages API, or with `rejects` a compatible endpoint. */
export function anthropicMessages({ rejects = [] }: AnthropicMessagesOptions = {}): Service {
  const bindings = createThinkingBindings()
  const encode = (reply: Reply, body: MessagesBody): EncodedMessage => {
    const message = encodeAnthropic(reply, body)
    bindings.record(message.content, body)
    return message
  }
  const checks = [
    checkUnicode,
    checkHeaders,
    checkRejects(rejects),
    // The checks after this one rely on lists being arrays.
    checkFields,
    checkTools,
    checkCacheControl,
    checkMcp,
    checkCompaction,
    checkTurns,
    checkContent,
    checkResultContent,
    checkToolResults,
    checkServerTools,
    checkToolChanges,
    checkReferences,
    checkToolChoice,
    checkThinking,
    (body: MessagesBody) => bindings.check(body),
  ]
  return {
    matches: (path) => /\/v1\/messages(\?|$)/.test(path),
    check: (body: MessagesBody, headers) => firstProblem(checks, body, headers),
    streams: (body) => body.stream === true,
    callableTools,
    encode,
    stream: (reply, body: MessagesBody) => streamAnthropic(encode(reply, body)),
    promptOf: anthropicPrompt,
    problem: anthropicProblem,
  }
}
