import type { BridgeAnswer } from '../../bridge/bridge.ts'
import type { ToolSearch } from '../../toolsearch.ts'
import { reportCall } from './callbacks.ts'
import type {
  LangChainMessage,
  LangChainRun,
  LangChainToolCall,
  NewUserMessage,
} from './langchain-shapes.ts'
import { type LangChainOptions, openThreads } from './threads.ts'
import { changeMessage, toolMessageFields } from './tool-message.ts'

/** A middleware for `createAgent`. */
export interface ToolSearchMiddleware {
  readonly name: string
  /** Appends news about added and removed tools to the conversation. */
  beforeModel(
    state: { messages: LangChainMessage[] },
    run: LangChainRun,
  ): Promise<{ messages: never[] } | undefined>
  /** Adds the search tool, the call tool and the list of hidden tools to a request. */
  wrapModelCall<REQUEST extends ModelRequest, REPLY>(
    request: REQUEST,
    handler: (request: REQUEST) => REPLY | Promise<REPLY>,
  ): Promise<REPLY>
  /** Answers searches, and runs found tools. Calls to tools of `createAgent` pass unchanged. */
  wrapToolCall<REQUEST extends ToolCallRequest, RESULT>(
    request: REQUEST,
    handler: (request: REQUEST) => RESULT | Promise<RESULT>,
  ): Promise<RESULT>
}

/** The fields of LangChain's model request that we read or change. */
export interface ModelRequest {
  readonly tools: readonly object[]
  readonly systemMessage: { readonly text: string; concat(text: string): object }
  readonly state: { readonly messages: readonly LangChainMessage[] }
  readonly runtime: LangChainRun
}

/** The fields of LangChain's tool call request that we read or change. */
export interface ToolCallRequest {
  readonly toolCall: LangChainToolCall
  readonly tool?: unknown
  readonly state: { readonly messages: readonly LangChainMessage[] }
  readonly runtime: LangChainRun
}

/**
 * Tool search for `createAgent` of LangChain. The model finds the tools of the catalogue with
 * `tool_search` and calls them with `call_tool`; tools that you pass to `createAgent` are always
 * listed. Put it first, so that other middleware sees the calls of found tools under their own names.
 *
 * @example
 * const toolSearch = createToolSearch({ tools: langchainTools(tools) })
 * const agent = createAgent({ model, middleware: [toolSearchMiddleware(toolSearch)] })
 *
 * @throws InvalidOptionError
 */
export function toolSearchMiddleware(
  toolSearch: ToolSearch,
  options: LangChainOptions = {},
): ToolSearchMiddleware {
  const openThread = openThreads(toolSearch, options)
  return {
    name: 'toolSearch',

    async beforeModel({ messages }, run) {
      const thread = await openThread(messages, run)
      const news = await thread.planRequest()
      // the state takes messages as plain objects, but the type of the hook does not
      return news.length > 0 ? { messages: news as NewUserMessage[] as never[] } : undefined
    },

    async wrapModelCall(request, handler) {
      const thread = await openThread(request.state.messages, request.runtime)
      const { system, tools } = await thread.planned()
      const { systemMessage } = request
      const separator = systemMessage.text === '' ? '' : '\n\n'
      return handler({
        ...request,
        tools: [...request.tools, ...tools],
        ...(system && { systemMessage: systemMessage.concat(separator + system) }),
      })
    },

    async wrapToolCall<REQUEST extends ToolCallRequest, RESULT>(
      request: REQUEST,
      handler: (request: REQUEST) => RESULT | Promise<RESULT>,
    ): Promise<RESULT> {
      if (request.tool !== undefined) return handler(request)
      const { toolCall, runtime, state } = request
      const thread = await openThread(state.messages, runtime)
      return thread.call<RESULT>(toolCall, {
        signal: runtime.signal,
        async run(call, tool) {
          const result = await handler({ ...request, toolCall: call, tool })
          // providers match a result with its call, which has the name of the call tool
          return changeMessage(result, { name: toolCall.name })
        },
        async reply(work) {
          let answer: BridgeAnswer | undefined
          const invoke = async (_input: unknown, run: LangChainRun) => {
            answer = await reportCall(toolCall, run, work)
            return answer.text
          }
          const result = await handler({ ...request, tool: { name: toolCall.name, invoke } })
          return answer ? changeMessage(result, toolMessageFields(answer)) : result
        },
      })
    },
  }
}
