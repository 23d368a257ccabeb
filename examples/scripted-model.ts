import type { ToolText } from 'toolsearch'

export interface Message {
  role: 'user' | 'assistant' | 'tool'
  content: string
}

export interface ModelRequest {
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
export type RunTool = (call: Call) => Promise<string>

/** Plays replies in order, in place of a provider. A model knows no tool that was not sent to it. */
export function scriptedModel(replies: readonly ModelReply[]): Model {
  let next = 0
  return async ({ tools }) => {
    const reply = replies[next++]
    if (reply === undefined) throw new Error('the script has no more replies')
    for (const call of reply.calls) {
      if (!tools.some((tool) => tool.name === call.name)) {
        throw new Error(`the script calls ${call.name}, which the request does not carry`)
      }
    }
    return reply
  }
}
