import { toldTools } from '../told-tools.ts'
import { type ChatMessage, textsOf } from './chat-message.ts'

/** The names whose schema stands in a result. */
export function revealed(messages: readonly ChatMessage[]): Set<string> {
  return new Set(
    messages
      .filter((message) => message.role === 'tool')
      .flatMap(textsOf)
      .flatMap(toldTools),
  )
}
