export { anthropicMessages } from './anthropic/anthropic-messages.ts'
export { chatCompletions } from './chat-completions/chat-completions.ts'
export { gemini } from './gemini/gemini.ts'
export { openaiResponses } from './openai-responses/openai-responses.ts'
export type { Problem } from './problem.ts'
export type { RecordedRequest } from './recorded-request.ts'
export type { Reply, ReplyCall } from './reply.ts'
export type { Service } from './service.ts'
export {
  type CheckingServer,
  type CheckingServerOptions,
  startCheckingServer,
} from './start-checking-server.ts'
