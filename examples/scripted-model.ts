import type { ToolText } from 'toolsearch'

export interface Message {
  role: 'user' | 'assistant' | 'tool'
  content: string
}

interface ModelRequest {
  system: string | undefined
  tools: readonly ToolText[]
  messages: readonly Message[]
}

export interface Call {
  name: string
  arguments: Record<string, unknown>
}

export interface ModelReply {
  text: string
  calls: readonly Call[]
}

export type Model = (request: ModelRequest) => Promise<ModelReply>

/** A model with scripted replies, in order. Throws if a reply calls a tool that the request does not list. */
export function scriptedModel(replies: readonly ModelReply[]): Model {
  let next = 0
  return async ({ tools }) => {
    const reply = replies[next++]
    if (reply === undefined) throw new Error('The script has no more replies.')
    for (const call of reply.calls) {
      if (!tools.some((tool) => tool.name === call.name)) {
        throw new Error(`The script calls ${call.name}, but the request does not include it.`)
      }
    }
    return reply
  }
}
