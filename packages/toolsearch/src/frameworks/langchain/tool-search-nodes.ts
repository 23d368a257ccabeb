import type { ToolSearch } from '../../toolsearch.ts'
import { reportCall } from './callbacks.ts'
import type {
  LangChainMessage,
  LangChainRun,
  LangChainToolCall,
  NewUserMessage,
} from './langchain-shapes.ts'
import { type LangChainOptions, type ListedTool, openThreads } from './threads.ts'
import { changeMessage, toolMessage } from './tool-message.ts'

/** Tool search for a graph that you build with LangGraph. */
export interface ToolSearchNodes {
  /** Plans a request. Call it in the node that calls the model. */
  prepare(state: GraphState, config?: object): Promise<PreparedRequest>
  /** A node that answers the calls of the last reply, in place of `ToolNode`. */
  callTools(state: GraphState, config?: object): Promise<{ messages: never[] }>
}

export interface GraphState {
  readonly messages: readonly LangChainMessage[]
}

export interface PreparedRequest {
  /** A block for the system prompt. Empty if no tool is hidden. */
  readonly system: string
  /** Give these to `bindTools`. */
  readonly tools: ListedTool[]
  /** Append these to the messages of the request, and return them from the node before the reply. */
  readonly news: never[]
}

/**
 * Tool search for a graph of LangGraph with a messages state.
 *
 * @throws InvalidOptionError
 */
export function toolSearchNodes(
  toolSearch: ToolSearch,
  options: LangChainOptions = {},
): ToolSearchNodes {
  const openThread = openThreads(toolSearch, options)
  return {
    async prepare({ messages }, config: LangChainRun = {}) {
      const thread = await openThread(messages, config)
      const news = await thread.planRequest()
      const { system = '', tools } = await thread.planned()
      return { system, tools: [...tools], news: news as NewUserMessage[] as never[] }
    },

    async callTools({ messages }, config: LangChainRun = {}) {
      const thread = await openThread(messages, config)
      const results = await Promise.all(
        openCalls(messages).map((call) =>
          thread.call<unknown>(call, {
            signal: config.signal,
            async run(inner, tool) {
              if (tool === undefined) {
                throw new Error(`Tool "${inner.name}" has no execute function, so it cannot run.`)
              }
              // what ToolNode passes to a tool
              const runtime = { ...config, config, state: { messages }, toolCallId: call.id }
              const message = (await tool.invoke(inner, runtime)) as { name?: string }
              return changeMessage(message, { name: call.name })
            },
            reply: async (work) => toolMessage(call, await reportCall(call, config, work)),
          }),
        ),
      )
      return { messages: results as never[] }
    },
  }
}

/** The calls of the last reply that have no result yet. */
function openCalls(messages: readonly LangChainMessage[]): readonly LangChainToolCall[] {
  const answered = new Set(messages.map(({ tool_call_id }) => tool_call_id))
  const calls = messages.findLast(({ type }) => type === 'ai')?.tool_calls ?? []
  return calls.filter(({ id }) => id === undefined || !answered.has(id))
}
